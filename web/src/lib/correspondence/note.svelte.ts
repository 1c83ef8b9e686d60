// A private note while it is typed: kept after a pause, and at once when one leaves.

/** A pause in typing after which a note is kept. */
export const TYPED_MS = 800;

export class Note {
  /** As it stands in the field. */
  text = $state('');
  /** As the server has it. */
  #kept = $state('');
  #save: (text: string, isLeaving: boolean) => Promise<void>;

  /** `save` brings it to the server; a page that goes away does not hear the answer. */
  constructor(save: (text: string, isLeaving: boolean) => Promise<void>) {
    this.#save = save;
  }

  /** Whether nothing was typed that the server does not have. */
  get isKept(): boolean {
    return this.text === this.#kept;
  }

  /** Takes over what the server has. What is being typed stays. */
  load(text: string): void {
    if (this.isKept) this.text = this.#kept = text;
  }

  /** Keeps what was typed, if anything was. */
  async keep(isLeaving = false): Promise<void> {
    const text = this.text;
    if (text === this.#kept) return;
    await this.#save(text, isLeaving);
    this.#kept = text;
  }
}
