// The report of a game as this tab knows it: asked for, on its way, there.
import type { ReportDoor } from '$lib/api/analysis';
import type { ReportView, ServerMsgOf } from '$lib/api/types';

export class Report {
  /** The report, or how far it has got; null until it was looked for. */
  view = $state.raw<ReportView | null>(null);
  isBusy = $state(false);
  /** The number of the last question, and of the last one whose answer is shown. */
  #asked = 0;
  #shown = 0;

  constructor(
    private readonly door: ReportDoor,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Looks whether there is one. */
  async look(): Promise<void> {
    await this.#try(() => this.door.look());
  }

  /** Looks again while it is on its way. If that fails the next time may be better: nobody has asked for this. */
  async follow(): Promise<void> {
    await this.#show(() => this.door.look()).catch(() => undefined);
  }

  /** Asks for it. */
  async ask(): Promise<void> {
    await this.#try(() => this.door.ask());
  }

  /** Calls it off. */
  async cancel(): Promise<void> {
    await this.#try(async () => {
      await this.door.cancel();
      return this.door.look();
    });
  }

  /** Whether it is on its way. */
  get isAwaited(): boolean {
    return this.view?.state === 'waiting' || this.view?.state === 'running';
  }

  /** The server says how far it has got; whatever else has become of it is looked up. */
  hear({ state, done, total }: ServerMsgOf<'report_progress'>): void {
    if (this.view?.state === 'done') return;
    if (state !== 'running') void this.follow();
    else if (this.view !== null) this.view = { ...this.view, state, done, total, ahead: 0 };
  }

  async #try(ask: () => Promise<ReportView>): Promise<void> {
    this.isBusy = true;
    try {
      await this.#show(ask);
    } catch (error) {
      this.failed(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** Shows the answer, unless a younger question was answered before. */
  async #show(ask: () => Promise<ReportView>): Promise<void> {
    this.#asked += 1;
    const number = this.#asked;
    const view = await ask();
    if (number < this.#shown) return;
    this.#shown = number;
    this.view = view;
  }
}
