// Who sits on a side of the table, while it is being chosen.
import type { SeatWish } from '$lib/api/types';

/** The one who is logged in, somebody with just a name, a member who confirms. */
export type SeatKind = SeatWish['kind'];

export class SeatDraft {
  kind = $state<SeatKind>('guest');
  /** The name at the table, or the user name of a member. */
  name = $state('');
  /** The PIN or the password of a member. */
  secret = $state('');
  /** Whether the secret is the password. */
  isPassword = $state(false);

  constructor(kind: SeatKind = 'guest') {
    this.kind = kind;
  }

  /** What the server is told. */
  get wish(): SeatWish {
    const name = this.name.trim();
    switch (this.kind) {
      case 'me':
        return { kind: 'me' };
      case 'guest':
        return { kind: 'guest', name };
      case 'member':
        return this.isPassword
          ? { kind: 'member', name, password: this.secret }
          : { kind: 'member', name, pin: this.secret.trim() };
    }
  }
}
