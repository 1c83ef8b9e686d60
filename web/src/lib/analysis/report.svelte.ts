// The report of a game as this tab knows it: asked for, on its way, there.
import type { ReportDoor } from '$lib/api/analysis';
import type { ReportView, ServerMsgOf } from '$lib/api/types';

export class Report {
  /** The report, or how far it has got; null until it was looked for. */
  view = $state.raw<ReportView | null>(null);
  isBusy = $state(false);

  constructor(
    private readonly door: ReportDoor,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Looks whether there is one. */
  async look(): Promise<void> {
    await this.#try(() => this.door.look());
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

  /** The server says how far it has got; when it is there it is fetched. */
  hear({ state, done, total }: ServerMsgOf<'report_progress'>): void {
    if (this.view?.state === 'done') return;
    if (state === 'done' || state === 'failed') void this.look();
    else if (this.view !== null) this.view = { ...this.view, state, done, total, ahead: 0 };
  }

  async #try(ask: () => Promise<ReportView>): Promise<void> {
    this.isBusy = true;
    try {
      this.view = await ask();
    } catch (error) {
      this.failed(error);
    } finally {
      this.isBusy = false;
    }
  }
}
