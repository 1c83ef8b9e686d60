// The operations of GMO chess: libraries, the lab, and what its games have besides moves.
import { request } from './client';
import type {
  Explanation,
  GameView,
  GenomeList,
  GenomeView,
  KeptChange,
  KnownGenomes,
  KnownPieces,
  LabBoard,
  LabPiece,
  LabPlayed,
  PresetList,
  PresetView,
  Stored,
} from './types';

const text = encodeURIComponent;

/** The built-in pieces and presets. */
export const getKnown = (): Promise<KnownPieces> => request('GET', '/gmo/known');

/** Published genomes, newest first. */
export const listPublished = (before: string | null): Promise<GenomeList> =>
  request('GET', `/gmo/published${before === null ? '' : `?before=${text(before)}`}`);

/** Published presets, newest first. */
export const listPublishedPresets = (before: string | null): Promise<PresetList> =>
  request('GET', `/gmo/published-presets${before === null ? '' : `?before=${text(before)}`}`);

export const listMyGenomes = (): Promise<GenomeList> => request('GET', '/gmo/genomes');

export const listMyPresets = (): Promise<PresetList> => request('GET', '/gmo/presets');

export const keepGenome = (dna: string, name: string): Promise<Stored> =>
  request('POST', '/gmo/genomes', { text: dna, name });

export const keepPreset = (codes: readonly string[], name: string): Promise<Stored> =>
  request('POST', '/gmo/presets', { text: codes.join('-'), name });

export const getGenome = (code: string): Promise<GenomeView> => request('GET', `/gmo/genomes/${text(code)}`);

export const getPreset = (code: string): Promise<PresetView> => request('GET', `/gmo/presets/${text(code)}`);

export const changeKept = (kind: 'genomes' | 'presets', code: string, change: KeptChange): Promise<void> =>
  request('PATCH', `/gmo/${kind}/${code}`, change);

export const forgetKept = (kind: 'genomes' | 'presets', code: string): Promise<void> =>
  request('DELETE', `/gmo/${kind}/${code}`);

/** A DNA explained, right or wrong. */
export const explainDna = (dna: string, origin: string): Promise<Explanation> =>
  request('GET', `/gmo/explanation?dna=${text(dna)}&origin=${origin}`);

/** The DNA with one letter changed by chance. */
export const mutateDna = (dna: string): Promise<{ dna: string }> => request('POST', '/gmo/mutation', { dna });

/** Where every piece of a lab board may go. */
export const labTargets = (pieces: readonly LabPiece[]): Promise<LabBoard> =>
  request('POST', '/gmo/lab/targets', { pieces });

/** Where the chance of a lab comes from, and how many moves were made in it. */
export interface LabChance {
  seed: string;
  ply: number;
}

export const labMove = (
  pieces: readonly LabPiece[],
  from: string,
  to: string,
  { seed, ply }: LabChance,
): Promise<LabPlayed> => request('POST', '/gmo/lab/moves', { pieces, from, to, seed, ply });

/** The record of a GMO game as the text of a file. */
export const readGmoRecord = (game: string): Promise<string> => request('GET', `/games/${game}/gmo`, undefined, 'text');

export const handInArmy = (game: string, preset: string, kings: readonly string[]): Promise<GameView> =>
  request('POST', `/games/${game}/army`, { preset, kings });

export const promotePawn = (game: string, ply: number, square: string, code: string): Promise<GameView> =>
  request('POST', `/games/${game}/promotion`, { ply, square, code });

/** Where the pieces of both sides could go after so many plies. */
export const gameTargets = (game: string, ply: number): Promise<{ targets: string }> =>
  request('GET', `/games/${game}/targets?ply=${ply}`);

/** The genomes on the board that I may read. */
export const gameGenomes = (game: string, ply: number): Promise<KnownGenomes> =>
  request('GET', `/games/${game}/genomes?ply=${ply}`);
