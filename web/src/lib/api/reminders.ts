// The operations on reminders: what somebody is told, which of their browsers are, and the link that ends the mails.
import { request } from './client';
import type { ReminderChoice, RemindersView } from './types';

export const getReminders = (): Promise<RemindersView> => request('GET', '/account/reminders');

export const putReminders = (choice: ReminderChoice): Promise<void> => request('PUT', '/account/reminders', choice);

/** Has this browser told, until it is removed or logs out. */
export const addBrowser = (subscription: PushSubscriptionJSON): Promise<void> =>
  request('POST', '/account/browsers', subscription);

export const removeBrowser = (id: string): Promise<void> => request('DELETE', `/account/browsers/${id}`);

/** Sends a notification to all my browsers. */
export const tryNotification = (): Promise<void> => request('POST', '/account/browsers/test');

/** Ends all reminder mails to whoever got this link. */
export const endMails = (token: string): Promise<void> => request('POST', `/unsubscribe/${encodeURIComponent(token)}`);
