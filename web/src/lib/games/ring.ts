// A notification of the browser, for those who look elsewhere and have asked for it.

/** Shows one if that is allowed; the same tag is shown once, whichever tab rings. Gives the way to take it back. */
export function ring(title: string, body: string, tag: string, path: string): () => void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return () => {};
  try {
    const notice = new Notification(title, { body, tag });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    return () => notice.close();
  } catch {
    // Browsers on phones let only a service worker show one, if there is one.
    void showByWorker(title, { body, tag, data: { url: path } });
    return () => {};
  }
}

async function showByWorker(title: string, options: NotificationOptions): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  await registration?.showNotification(title, options);
}
