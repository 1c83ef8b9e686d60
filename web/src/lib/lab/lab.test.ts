import { beforeEach, expect, test, vi } from 'vitest';
import type { LabBoard, LabPiece } from '$lib/api/types';
import { Lab } from './lab.svelte';

/** Answers in the order and at the moment a test wants. */
const api = vi.hoisted(() => ({
  explainDna: vi.fn(),
  labTargets: vi.fn(),
  labMove: vi.fn(),
  mutateDna: vi.fn(),
  getGenome: vi.fn(),
  getPreset: vi.fn(),
}));
vi.mock('$lib/api/gmo', () => api);

const ROOK = 'AHHHSHHAACHACHACHAHHASASAAAAAAAAA';

beforeEach(() => {
  vi.resetAllMocks();
  api.explainDna.mockImplementation(async (dna: string) => ({
    codons: [],
    error: null,
    genome: dna.startsWith('AHH') ? { dna: dna.replaceAll(' ', ''), look: 7, blocks: [] } : null,
  }));
  api.labTargets.mockImplementation(async (pieces: LabPiece[]) => ({ pieces, targets: 'a1a2' }));
});

/** A lab with this text in its editor. */
async function open(dna = ROOK) {
  const told: string[] = [];
  const lab = new Lab(
    (error) => told.push(String(error)),
    (text) => told.push(text),
  );
  await lab.open('', dna);
  return { lab, told };
}

const squares = (lab: Lab): string => lab.board.pieces.map(({ square }) => square).join(' ');

test('two quick presses put down two pieces, whatever answer comes first', async () => {
  const { lab } = await open();
  const answers: (() => void)[] = [];
  api.labTargets.mockImplementation(
    (pieces: LabPiece[]) =>
      new Promise<LabBoard>((done) => answers.push(() => done({ pieces, targets: `${pieces.length}` }))),
  );
  const presses = [lab.press('a1'), lab.press('b1')];
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(squares(lab)).toBe('a1 b1');
  answers[1]?.();
  answers[0]?.();
  await Promise.all(presses);
  expect([squares(lab), lab.board.targets]).toEqual(['a1 b1', '2']);
});

test('one seed serves the whole lab, and a move made again after an undo has a chance of its own', async () => {
  const { lab } = await open();
  await lab.press('a1');
  const after = { pieces: lab.board.pieces, targets: 'a1a2', landing: 'a2', mutation: null, promotions: [] };
  api.labMove.mockResolvedValue(after);
  await lab.move('a1a2');
  lab.undo();
  await lab.move('a1a2');
  const chances = api.labMove.mock.calls.map((call) => call[3] as { seed: string; ply: number });
  expect(chances.map(({ ply }) => ply)).toEqual([0, 1]);
  expect(chances[0]?.seed).toMatch(/^[0-9a-f]{64}$/);
  expect(chances[1]?.seed).toBe(chances[0]?.seed);
});

test('a press that follows a move waits for the board that the move leaves', async () => {
  const { lab } = await open();
  await lab.press('a1');
  const moved = { square: 'a2', owner: 'white', dna: ROOK, pawn: false, king: false, look: 7 };
  api.labMove.mockResolvedValue({ pieces: [moved], targets: 'a2a3', landing: 'a2', mutation: null, promotions: [] });
  const move = lab.move('a1a2');
  await Promise.all([move, lab.press('h8')]);
  expect(squares(lab)).toBe('a2 h8');
});

test('what is written over in the editor can be had back, and undone again', async () => {
  const { lab } = await open('AHH my own');
  api.mutateDna.mockResolvedValue({ dna: 'AHHHSA' });
  await lab.mutate();
  expect(lab.dna).toBe('AHH HSA');
  lab.undo();
  expect(lab.dna).toBe('AHH my own');
  lab.redo();
  expect(lab.dna).toBe('AHH HSA');
});

test('a step back on the board leaves alone what was typed since', async () => {
  const { lab } = await open();
  await lab.press('a1');
  await lab.type('AHH as I like it');
  lab.undo();
  expect([squares(lab), lab.dna]).toEqual(['', 'AHH as I like it']);
});

test('of two pawns that arrive the second may still be promoted after the first', async () => {
  const { lab } = await open();
  const pawn = (square: string) => ({ square, owner: 'white', dna: ROOK, pawn: true, king: false, look: 1 });
  await lab.lay(() => [pawn('a7')] as LabPiece[]);
  const after = { pieces: [pawn('a8'), pawn('b8')], targets: 'a8a7', landing: 'b8', mutation: null };
  api.labMove.mockResolvedValue({ ...after, promotions: ['a8', 'b8'] });
  await lab.move('a7b8');
  await lab.promote('a8');
  expect(lab.offered).toEqual(['b8']);
  await lab.promote('b8');
  expect(lab.offered).toEqual([]);
  expect(lab.board.pieces.map(({ pawn }) => pawn)).toEqual([false, false]);
});

test('without a valid DNA nothing is placed or promoted, and that is said', async () => {
  const { lab, told } = await open('nothing');
  await lab.press('a1');
  await lab.promote('a8');
  expect([squares(lab), told]).toEqual(['', ['lab.needs_genome', 'lab.needs_genome']]);
});

test('where a move went instead of its target is told', async () => {
  const { lab } = await open();
  await lab.press('a1');
  const landed = { pieces: lab.board.pieces, targets: 'b2b3', landing: 'b2', mutation: null, promotions: [] };
  api.labMove.mockResolvedValue(landed);
  await lab.move('a1a2');
  expect(lab.deviation).toBe('b2');
});

test('what the server refuses does not stay on the board', async () => {
  const { lab, told } = await open();
  await lab.press('a1');
  api.labTargets.mockRejectedValueOnce(new Error('refused'));
  await lab.press('b1');
  expect([squares(lab), told]).toEqual(['a1', ['Error: refused']]);
  lab.undo();
  expect(squares(lab)).toBe('');
});

test('a link that is pasted into the address replaces the lab, which can be had back', async () => {
  const { lab } = await open('AHH before');
  await lab.press('c3');
  await lab.follow(`#${new URLSearchParams({ dna: 'AHH after', board: 'a1w0', genomes: ROOK }).toString()}`);
  expect([lab.dna, squares(lab)]).toEqual(['AHH after', 'a1']);
  lab.undo();
  expect([lab.dna, squares(lab)]).toEqual(['AHH before', 'c3']);
  await lab.follow('#content');
  expect(lab.dna).toBe('AHH before');
});
