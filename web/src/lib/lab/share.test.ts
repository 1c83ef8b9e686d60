import { expect, test } from 'vitest';
import type { LabPiece } from '$lib/api/types';
import { fromHash, toHash } from './share';

const piece = (square: string, dna: string, extra: Partial<LabPiece> = {}): LabPiece => ({
  square,
  owner: 'white',
  dna,
  pawn: false,
  king: false,
  look: 0,
  ...extra,
});

test('a shared lab is read again', () => {
  const pieces = [
    piece('a1', 'AHHA'),
    piece('h8', 'AHHS', { owner: 'black', king: true }),
    piece('b2', 'AHHA', { pawn: true, king: true }),
  ];
  const shared = { dna: 'AHH HSH\nHAA', pieces };
  expect(fromHash(`#${toHash(shared)}`)).toEqual(shared);
});

test('a link without a lab is none, and rubbish is left out', () => {
  expect(fromHash('')).toBeNull();
  expect(fromHash('#dna=AHH&board=z9w0.a1x0.a1w5&genomes=AHH')).toEqual({ dna: 'AHH', pieces: [] });
});
