// Small wishes that belong to this browser, not to an account: they hold for guests too.

/** A wish by its name; storage may be forbidden, then it holds until the page is closed. */
export class DeviceWish {
  #isOn = $state(false);

  constructor(
    private readonly name: string,
    otherwise: boolean,
    private readonly storage: () => Storage = () => localStorage,
  ) {
    this.#isOn = this.#read() ?? otherwise;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(value: boolean) {
    this.#isOn = value;
    try {
      this.storage().setItem(this.name, value ? 'yes' : 'no');
    } catch {
      // Nothing to be done, and nothing lost but the memory of it.
    }
  }

  #read(): boolean | null {
    try {
      const kept = this.storage().getItem(this.name);
      return kept === null ? null : kept === 'yes';
    } catch {
      return null;
    }
  }
}
