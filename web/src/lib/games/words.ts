// What happened in a game, in plain words: results to read, moves to hear.
import type { Color, MoveView, Outcome, PlayerView, RatingChange } from '$lib/api/types';
import { otherColor } from '$lib/board/placement';
import { t, tOr, type TextKey } from '$lib/ui/text';

export { otherColor };

/** A colour's name. */
export function colorName(color: Color): string {
  return t(`color.${color}`);
}

/** A rating as it stands beside a name: `1500`, and `1500?` while it is provisional. */
export function ratingText({ rating, provisional }: Pick<PlayerView, 'rating' | 'provisional'>): string {
  return rating === null ? '' : `${rating}${provisional ? '?' : ''}`;
}

/** By how much a rating has changed: `+12`, `−7`, `±0`. */
export function changeText({ before, after }: RatingChange): string {
  const by = after - before;
  if (by === 0) return '±0';
  return by > 0 ? `+${by}` : `−${-by}`;
}

/** Who won, told to a player (`you`) or to a watcher. */
export function resultTitle(outcome: Outcome, you: Color | null): string {
  switch (outcome.kind) {
    case 'win':
      if (you === null) return t('result.wins', { color: colorName(outcome.winner) });
      return outcome.winner === you ? t('result.won') : t('result.lost');
    case 'draw':
      return t('result.draw');
    case 'aborted':
      return t('result.aborted');
  }
}

/** Why the game ended. */
export function resultReason(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'win':
      return tOr(`win.${outcome.by}`, 'win.other', { loser: colorName(otherColor(outcome.winner)) });
    case 'draw':
      return tOr(`draw.${outcome.by}`, 'draw.other');
    case 'aborted':
      return tOr(`aborted.${outcome.by}`, 'aborted.other');
  }
}

/** The result as it stands on a score sheet. */
export function scoreText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'win':
      return outcome.winner === 'white' ? '1–0' : '0–1';
    case 'draw':
      return '½–½';
    case 'aborted':
      return '–';
  }
}

const PIECES: Record<string, TextKey> = {
  K: 'piece.king',
  Q: 'piece.queen',
  R: 'piece.rook',
  B: 'piece.bishop',
  N: 'piece.knight',
};

/** A move as it is said aloud: `Nxf7+` is "Knight takes f7, check". */
export function spokenSan(san: string): string {
  const end = san.endsWith('#') ? t('speak.mate') : san.endsWith('+') ? t('speak.check') : '';
  const move = spokenMove(san.replace(/[+#]$/, ''));
  return end === '' ? move : `${move}, ${end}`;
}

function spokenMove(san: string): string {
  const promoted = /^=([a-h][1-8])/.exec(san)?.[1];
  if (promoted !== undefined) return t('speak.gmo_promotes', { square: promoted });
  if (san === 'O-O-O') return t('speak.castles_long');
  if (san === 'O-O') return t('speak.castles_short');
  const words = Array.from(san.matchAll(/[KQRBN]|x|=|[a-h][1-8]|[a-h]|[1-8]/g), ([part]) => {
    if (part === 'x') return t('speak.takes');
    if (part === '=') return t('speak.promotes');
    const piece = PIECES[part];
    return piece === undefined ? part : t(piece);
  });
  return words.join(' ');
}

/** What is about to be done, in words: a piece placed on a square, a move from one to another. */
export function actionText(action: string): string {
  const [piece, square] = action.split('@');
  if (square !== undefined) {
    const key = PIECES[piece ?? ''];
    return `${key === undefined ? t('piece.pawn') : t(key)} ${square}`;
  }
  const squares = action.match(/[a-h][1-8]/g);
  return squares === null ? t('defender.finish') : squares.join(' – ');
}

/** What was typed, in words where it names squares: SAN is left as it was written. */
export const typedText = (typed: string): string => (/^([a-h][1-8]){2}|@/.test(typed) ? actionText(typed) : typed);

/** The last move and the result, for those who listen. */
export function spokenGame(move: MoveView | undefined, outcome: Outcome | null, you: Color | null): string {
  const mover = move === undefined ? '' : colorName(move.by);
  const played = move === undefined ? '' : t('speak.move', { color: mover, move: spokenSan(move.san) });
  if (outcome === null) return played;
  return `${played}. ${resultTitle(outcome, you)}. ${resultReason(outcome)}`;
}
