/// <reference types="@sveltejs/kit" />
/// <reference no-default-lib="true"/>
/// <reference lib="esnext" />
/// <reference lib="webworker" />
// Shows what the club has to tell while none of its pages is open. It does nothing else: pages come from the server.

const worker = self as unknown as ServiceWorkerGlobalScope;

/** What the server sends. */
interface Told {
  title: string;
  body: string;
  /** The page it leads to, as a path. */
  url: string;
  /** A later one with the same tag takes its place. */
  tag: string;
}

worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('push', (event) => {
  // A browser insists that every message is shown.
  const told = (event.data?.json() ?? { title: 'Rookery', body: '', url: '/my-games', tag: 'news' }) as Told;
  const { title, body, tag, url } = told;
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: '/favicon.svg', data: { url } }));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data as { url: string };
  // A path of ours and nothing else, whatever came.
  const target = new URL(url, worker.location.origin);
  if (target.origin !== worker.location.origin) return;
  event.waitUntil(open(target.href));
});

/** Goes to a page: where it is open already, or in a window that is, or in a new one. */
async function open(href: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find((client) => client.url === href);
  if (there !== undefined) {
    await there.focus();
    return;
  }
  await worker.clients.openWindow(href);
}
