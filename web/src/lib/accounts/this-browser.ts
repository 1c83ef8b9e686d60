// This browser's end of Web Push: whether it can be told, and asking it to. Permission is asked for at a press only.

/** What this browser says about notifications. */
export type Ability =
  /** It can show them. */
  | 'able'
  /** It cannot: too old, or the page did not come by https. */
  | 'unable'
  /** Its owner has said no before. */
  | 'refused';

/** Where the worker is. */
const WORKER = '/service-worker.js';

export function ability(): Ability {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) return 'unable';
  return Notification.permission === 'denied' ? 'refused' : 'able';
}

/** The address at which this browser is told now; null if it is not. */
export async function endpoint(): Promise<string | null> {
  if (ability() === 'unable') return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  return subscription?.endpoint ?? null;
}

/** Asks for permission and subscribes; null if the answer is no. Only after a press: browsers refuse it otherwise. */
export async function subscribe(key: string): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One for another key, of an older club at this address, would never be told anything.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  return subscription.toJSON();
}

/** Has the push service forget this browser. */
export async function unsubscribe(): Promise<void> {
  if (ability() === 'unable') return;
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Base64 as addresses have it, as bytes. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  const usual = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(usual), (letter) => letter.charCodeAt(0));
}
