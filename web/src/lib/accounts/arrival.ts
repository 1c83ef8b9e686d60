// What a new session changes: the header, the preferences, and whom the socket takes this tab for.
import type { Live } from '$lib/live/live.svelte';
import type { Club } from '$lib/ui/club.svelte';

/** Somebody has come or gone in this tab. */
export async function becomeSomebody(club: Club, live: Live): Promise<void> {
  await club.load();
  live.renew();
}

/** Where to go after logging in: only ever to a page of ours. */
export function nextPath(query: string): string {
  const next = new URLSearchParams(query).get('next') ?? '/';
  return isOurs(next) ? next : '/';
}

/** Read as a browser would: `//elsewhere` and `/\\elsewhere` look like paths and are none. */
function isOurs(path: string): boolean {
  try {
    return path.startsWith('/') && new URL(path, 'http://here').origin === 'http://here';
  } catch {
    return false;
  }
}

/** The token of a link, which stands behind the `#` so that it reaches no log. */
export function tokenOf(hash: string): string | null {
  return hash.replace(/^#/, '') || null;
}
