// What a player is about to place: a piece taken from the shelf, perhaps in the air.
import type { Color } from '$lib/api/types';
import { type ShelfLetter, squaresFor } from './shelf';

export class Placing {
  /** The piece in hand. */
  letter = $state<ShelfLetter | null>(null);
  /** Where the pointer holds it, in pixels of the window. */
  held = $state.raw<{ x: number; y: number } | null>(null);
  /** Whether it was taken by the keys, which then go on to the board. */
  isByKeys = $state(false);
  /** Calls the keys back to the shelf. */
  toShelf: (() => void) | null = null;
  /** The square on which the board lies, to know where a piece is dropped. */
  board: Element | null = null;

  /** Takes a piece, or puts it back. */
  take(letter: ShelfLetter, isByKeys = false): void {
    this.letter = this.letter === letter ? null : letter;
    this.isByKeys = isByKeys && this.letter !== null;
  }

  /** Lets go of what is in hand; whoever uses the keys goes on where the pieces are. Gives what it was. */
  letGo(): ShelfLetter | null {
    const { letter } = this;
    this.letter = null;
    if (this.isByKeys) this.toShelf?.();
    this.isByKeys = false;
    return letter;
  }

  /** Drops what is held; gives the placement if the square is one of those allowed. */
  drop(x: number, y: number, orientation: Color, dests: string): string | null {
    const square = this.#squareUnder(x, y, orientation);
    const { letter } = this;
    this.held = null;
    if (letter === null || square === null || !squaresFor(dests, letter).includes(square)) return null;
    this.letter = null;
    return `${letter}@${square}`;
  }

  #squareUnder(x: number, y: number, orientation: Color): string | null {
    const box = this.board?.getBoundingClientRect();
    if (box === undefined) return null;
    const column = Math.floor(((x - box.x) / box.width) * 8);
    const row = Math.floor(((y - box.y) / box.height) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    const [file, rank] = orientation === 'white' ? [column, 8 - row] : [7 - column, row + 1];
    return 'abcdefgh'.charAt(file) + String(rank);
  }
}
