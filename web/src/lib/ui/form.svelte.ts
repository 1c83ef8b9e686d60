// What a form knows beside its values: what is wrong, where it is said, and whether it is on its way.
import { tick } from 'svelte';
import { ApiError, sentence } from '$lib/api/client';
import type { FieldProblem } from '$lib/api/types';
import { hasText, t, tOr } from './text';

/** What is wrong with a field, in a sentence. Codes without a text of ours are told in the server's words. */
export function fieldText({ field, code, detail }: FieldProblem): string {
  for (const key of [`field.${field}.${code}`, `field.${code}`]) if (hasText(key)) return tOr(key, 'error.other');
  return sentence(detail);
}

export class Form<Name extends string> {
  /** What is wrong, by field. */
  errors = $state<Partial<Record<Name, string | undefined>>>({});
  /** What is wrong with the whole. */
  problem = $state<string | null>(null);
  /** Its code, for forms that offer a way out. */
  code = $state<string | null>(null);
  isBusy = $state(false);

  /** The fields this form has, and codes of whole answers that belong to one of them. */
  constructor(
    private readonly names: readonly Name[],
    private readonly owners: Readonly<Record<string, Name>> = {},
  ) {}

  /** Sends; if the server refuses, says so next to the field and puts the cursor there. Tells whether it was taken. */
  async submit(event: SubmitEvent, send: () => Promise<void>): Promise<boolean> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (this.isBusy) return false;
    this.isBusy = true;
    this.clear();
    try {
      await send();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    } finally {
      this.isBusy = false;
      await tick();
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }

  /** Sorts an error to where it belongs. */
  fail(error: unknown): void {
    if (!(error instanceof ApiError)) {
      this.problem = t('error.other');
      return;
    }
    this.code = error.code;
    const owner = this.owners[error.code];
    if (owner !== undefined) this.errors[owner] = tOr(`problem.${error.code}`, 'error.other');
    for (const problem of error.fields) this.#place(problem);
    if (Object.values(this.errors).some(Boolean)) return;
    this.problem ??= hasText(`problem.${error.code}`) ? tOr(`problem.${error.code}`, 'error.other') : error.message;
  }

  /** Replaces what is known of one field; null when it is fine. */
  setError(name: Name, text: string | null): void {
    this.errors[name] = text ?? undefined;
  }

  clear(): void {
    this.errors = {};
    this.problem = null;
    this.code = null;
  }

  #place(problem: FieldProblem): void {
    const name = this.names.find((known) => known === problem.field);
    if (name === undefined) this.problem = fieldText(problem);
    else this.errors[name] = fieldText(problem);
  }
}
