// Conditional moves as a tree: lines that begin alike stand together, and a reply of mine has no second one beside it.
import type { Plan } from '$lib/api/correspondence';

type Line = Plan['lines'][number];

/** A line as a branch of the tree. */
export interface Branch {
  line: Line;
  /** How many of its moves stand in the line above already. */
  shared: number;
  /** How often the tree has parted before it. */
  depth: number;
}

/** How many moves two lines have in common before they part. */
function inCommon(one: readonly string[], other: readonly string[]): number {
  const parted = one.findIndex((uci, i) => uci !== other[i]);
  return parted === -1 ? one.length : parted;
}

const uciOf = (line: Line): string[] => line.map(({ uci }) => uci);

/** The lines in the order of a tree: after each those that share most with it, otherwise as they were entered. */
export function branchesOf(lines: readonly Line[]): Branch[] {
  const branches: Branch[] = [];
  const grow = (rest: readonly Line[], length: number, shared: number, depth: number): void => {
    let isFirst = true;
    let left = rest;
    for (let first = left[0]; first !== undefined; first = left[0]) {
      const next = first[length]?.uci;
      const alike = left.filter((line) => line[length]?.uci === next);
      left = left.filter((line) => !alike.includes(line));
      // The first goes on where the line above has come to; every other one parts from it here.
      const [from, deep] = isFirst ? [shared, depth] : [length, depth + (length > 0 ? 1 : 0)];
      if (next !== undefined && alike.length > 1) grow(alike, length + 1, from, deep);
      else branches.push({ line: first, shared: from, depth: deep });
      isFirst = false;
    }
  };
  grow(lines, 0, 0, 0);
  return branches;
}

/** The lines that cannot stay beside a new one: they answer the same moves in another way. */
export function replacedBy(line: readonly string[], lines: readonly Line[]): Line[] {
  return lines.filter((other) => {
    const common = inCommon(line, uciOf(other));
    // The other side moves first, so my replies are the second of every two.
    return common % 2 === 1 && common < line.length && common < other.length;
  });
}
