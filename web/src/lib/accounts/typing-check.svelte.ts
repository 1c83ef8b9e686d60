// Asks the server about a field while it is being filled: soon after the last key, never about what has changed since.
import { checkSignUp } from '$lib/api/accounts';
import type { FieldProblem } from '$lib/api/types';

/** How long a pause in typing is. */
const PAUSE_MS = 400;

export type CheckedField = 'name' | 'email' | 'password';

export class TypingCheck {
  /** Fields that the server has found fine as they stand. */
  good = $state<Partial<Record<CheckedField, boolean>>>({});
  #timers: Partial<Record<CheckedField, ReturnType<typeof setTimeout>>> = {};
  #latest: Partial<Record<CheckedField, string>> = {};

  constructor(
    /** Called with what is wrong with a field, or null. */
    private readonly told: (field: CheckedField, problem: FieldProblem | null) => void,
    private readonly ask: typeof checkSignUp = checkSignUp,
  ) {}

  /** The field has changed. What was said about it no longer holds. */
  typed(field: CheckedField, value: string): void {
    this.#latest[field] = value;
    this.good[field] = false;
    clearTimeout(this.#timers[field]);
    if (value === '') this.told(field, null);
    else this.#timers[field] = setTimeout(() => void this.#check(field, value), PAUSE_MS);
  }

  async #check(field: CheckedField, value: string): Promise<void> {
    try {
      const { fields } = await this.ask({ [field]: value });
      if (this.#latest[field] !== value) return;
      const problem = fields.find((found) => found.field === field) ?? null;
      this.good[field] = problem === null;
      this.told(field, problem);
    } catch {
      // Away or asked too often: the server checks again when the form is sent.
    }
  }
}
