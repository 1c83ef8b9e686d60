// Results and glyphs as people read them.

/** A result of PGN: `½–½`, `1–0`. */
export function resultText(result: string): string {
  return result === '1/2-1/2' ? '½–½' : result.replace('-', '–');
}

const GLYPHS: Readonly<Record<number, string>> = {
  1: '!',
  2: '?',
  3: '!!',
  4: '??',
  5: '!?',
  6: '?!',
  7: '□',
  10: '=',
  13: '∞',
  14: '⩲',
  15: '⩱',
  16: '±',
  17: '∓',
  18: '+−',
  19: '−+',
  22: '⨀',
  36: '↑',
  40: '→',
  132: '⇆',
  146: 'N',
};

/** Annotation glyphs as signs; those without a sign by their number. */
export function glyphs(nags: readonly number[]): string {
  return nags.map((nag) => GLYPHS[nag] ?? `$${nag}`).join(' ');
}

/** An evaluation: `+0.35`, `−1.20`, `#5`, `#−3`. */
export function evalText(cp: number | null | undefined, mate: number | null | undefined): string {
  const minus = (text: string): string => text.replace('-', '−');
  if (mate !== null && mate !== undefined) return minus(`#${mate}`);
  if (cp === null || cp === undefined) return '';
  return minus(`${cp > 0 ? '+' : ''}${(cp / 100).toFixed(2)}`);
}

/** The squares that a move leads from and to; null for one that has not both, such as a piece that is placed. */
export function squaresOf(uci: string | undefined): readonly [string, string] | null {
  if (uci === undefined || !/^[a-h][1-8][a-h][1-8]/.test(uci)) return null;
  return [uci.slice(0, 2), uci.slice(2, 4)];
}

/** A number of bytes: `12 kB`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}

/** Parts of a hundred that add up to a hundred: the largest takes what rounding leaves. */
export function percentages(parts: readonly number[]): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => 0);
  const rounded = parts.map((part) => Math.round((100 * part) / total));
  const rest = 100 - rounded.reduce((sum, part) => sum + part, 0);
  const largest = rounded.indexOf(Math.max(...rounded));
  return rounded.map((part, at) => (at === largest ? part + rest : part));
}
