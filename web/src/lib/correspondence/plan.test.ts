import { expect, test } from 'vitest';
import { branchesOf, replacedBy } from './plan';

const read = (text: string) => text.split(' ').map((uci) => ({ uci, san: uci, fen: '' }));

function check(lines: string[], expected: string[]) {
  const drawn = branchesOf(lines.map(read)).map(
    ({ line, shared, depth }) =>
      '>'.repeat(depth) +
      line
        .slice(shared)
        .map(({ uci }) => uci)
        .join(' '),
  );
  expect(drawn).toEqual(expected);
}

test('lines that begin alike stand together, each with what is new in it', () => {
  check([], []);
  check(['a b'], ['a b']);
  check(['a b', 'c d'], ['a b', 'c d']);
  check(['a b c d', 'x y', 'a b e f'], ['a b c d', '>e f', 'x y']);
});

test('a branch may branch again', () => {
  check(['a b c d', 'a b e f g h', 'a b e f i j', 'a b k l'], ['a b c d', '>e f g h', '>>i j', '>k l']);
  check(['a b c d e f', 'a b c d g h', 'a b i j', 'k l'], ['a b c d e f', '>g h', '>i j', 'k l']);
});

test('another answer to the same moves takes the place of the first', () => {
  const lines = ['a b c d', 'a b e f', 'x y'].map(read);
  const gone = (line: string) =>
    replacedBy(line.split(' '), lines).map((other) => other.map(({ uci }) => uci).join(' '));
  expect(gone('a z')).toEqual(['a b c d', 'a b e f']);
  expect(gone('a b c z')).toEqual(['a b c d']);
});

test('another move of the other side, or more moves, take the place of nothing', () => {
  const lines = ['a b c d', 'x y'].map(read);
  for (const line of ['a b', 'a b c d e f', 'a b z w', 'n m', 'x y a b']) {
    expect(replacedBy(line.split(' '), lines), line).toEqual([]);
  }
});
