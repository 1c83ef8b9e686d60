import { expect, it } from 'vitest';
import { pictureOf, type Look } from './picture';

const look: Look = { light: '#fff', dark: '#000', piece: (color, role) => `data:${color}-${role}` };

it('draws every piece where it stands, from either side', () => {
  const fen = '7k/8/8/8/8/8/8/K7 w - - 0 1';
  const white = pictureOf(fen, 'white', look);
  expect(white).toContain('<image x="560" y="0" width="80" height="80" href="data:black-king"/>');
  expect(white).toContain('<image x="0" y="560" width="80" height="80" href="data:white-king"/>');
  const black = pictureOf(fen, 'black', look);
  expect(black).toContain('<image x="0" y="560" width="80" height="80" href="data:black-king"/>');
});

it('paints a1 dark and h1 light', () => {
  const picture = pictureOf('8/8/8/8/8/8/8/8 w - - 0 1', 'white', look);
  expect(picture).toContain('M0 560h80v80h-80z');
  expect(picture).not.toContain('M560 560h80');
});
