// Short messages at the edge of the page: what went wrong, in a sentence, until read or closed.
import { createContext } from 'svelte';
import { ApiError } from '$lib/api/client';
import { t } from './text';

/** How long a toast stays when nobody closes it. */
const STAYS_MS = 6_000;

export interface Toast {
  id: number;
  text: string;
  /** Where it leads, as a path of this site. */
  href?: string;
}

export class Toasts {
  /** What is to be seen now, oldest first. */
  list = $state.raw<Toast[]>([]);
  #next = 0;

  /** Shows a sentence, with the page it leads to; the same is not shown twice at a time. */
  show(text: string, href?: string): void {
    if (this.list.some((toast) => toast.text === text && toast.href === href)) return;
    const toast: Toast = { id: this.#next++, text, ...(href === undefined ? {} : { href }) };
    this.list = [...this.list, toast];
    setTimeout(() => this.close(toast), STAYS_MS);
  }

  /** Shows what went wrong with a request. Faults of our own are not explained to people. */
  showError(error: unknown): void {
    this.show(error instanceof ApiError ? error.message : t('error.other'));
  }

  close(toast: Toast): void {
    this.list = this.list.filter((other) => other.id !== toast.id);
  }
}

/** The page's toasts, handed down by the layout. */
export const [getToasts, setToasts] = createContext<Toasts>();
