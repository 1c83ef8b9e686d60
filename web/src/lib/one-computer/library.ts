// Whose library is open at one computer: what a member keeps is shown to that member alone.
import type { Color, GameView, Me } from '$lib/api/types';

/** Whether the library of this browser is that of whoever plays this side. Guests of a guest share what is kept here. */
export function isOwnLibrary(
  { one_computer, players }: Pick<GameView, 'one_computer' | 'players'>,
  side: Color,
  me: Me['account'] | undefined,
): boolean {
  const player = players[side];
  return !one_computer || player.id === me?.id || (me?.guest === true && player.guest);
}
