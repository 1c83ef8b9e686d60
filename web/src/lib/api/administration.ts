// The operations of the administration: users, invitations, policy, the audit log and the mail.
import { request } from './client';
import type {
  AuditPage,
  BulkAnswer,
  Invite,
  MailState,
  NewInvite,
  Policy,
  Role,
  UserChange,
  UserPage,
  UserView,
} from './types';

/** Which users to list; `after` is the `next` of the page before. */
export interface UserSearch {
  query?: string;
  role?: string;
  state?: string;
  after?: string;
}

const user = (id: string): string => `/admin/users/${encodeURIComponent(id)}`;

/** The query of an address; what is empty is left out. */
function query(params: object): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given as Array<[string, string]>)}`;
}

export const listUsers = (search: UserSearch): Promise<UserPage> => request('GET', `/admin/users${query(search)}`);

export const getUser = (id: string): Promise<UserView> => request('GET', user(id));

export const changeUser = (id: string, change: UserChange): Promise<UserView> => request('PATCH', user(id), change);

export const grantRole = (id: string, role: Role): Promise<void> => request('PUT', `${user(id)}/roles/${role}`);

export const takeRole = (id: string, role: Role): Promise<void> => request('DELETE', `${user(id)}/roles/${role}`);

/** A link with which somebody chooses a new password. */
export const createResetLink = (id: string): Promise<{ url: string; expires_at: number }> =>
  request('POST', `${user(id)}/reset-link`);

/** A password that must be changed after the next log-in. */
export const createOneTimePassword = (id: string): Promise<{ password: string }> =>
  request('POST', `${user(id)}/one-time-password`);

export const removeTotp = (id: string): Promise<void> => request('DELETE', `${user(id)}/totp`);

export const endSessionsOf = (id: string): Promise<void> => request('DELETE', `${user(id)}/sessions`);

export const removeUser = (id: string): Promise<void> => request('DELETE', user(id));

/** Without `confirm` nothing is removed: the answer tells who would be. */
export const removeInactive = (days: number, confirm: boolean): Promise<{ count: number; names: string[] }> =>
  request('POST', '/admin/users/remove-inactive', { days, confirm });

/** Makes an account per line. The passwords are in this answer and nowhere else. */
export const createUsers = (names: string, group?: string): Promise<BulkAnswer> =>
  request('POST', '/admin/users/bulk', { names, group });

export const listInvites = (): Promise<{ invites: Invite[] }> => request('GET', '/admin/invites');

/** Makes an invitation; its link is in this answer and nowhere else. */
export const createInvite = (invite: NewInvite): Promise<Invite> => request('POST', '/admin/invites', invite);

export const revokeInvite = (id: string): Promise<void> =>
  request('DELETE', `/admin/invites/${encodeURIComponent(id)}`);

export const getPolicy = (): Promise<Policy> => request('GET', '/admin/policy');

export const putPolicy = (policy: Policy): Promise<Policy> => request('PUT', '/admin/policy', policy);

export const listAudit = (search: { after?: number; actor?: string; subject?: string }): Promise<AuditPage> =>
  request('GET', `/admin/audit${query(search)}`);

export const getMailState = (): Promise<MailState> => request('GET', '/admin/mail');

export const sendTestMail = (to: string): Promise<void> => request('POST', '/admin/mail/test', { to });
