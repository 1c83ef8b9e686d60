// Analysis: positions, trees, studies, reports.
import { request } from './client';
import type {
  BulkReports,
  EngineInfo,
  PositionQuestion,
  PositionView,
  ReportView,
  StudyCard,
  StudyView,
  TreeView,
} from './types';

/** Plays a line out: where it leads and what may be done there. */
export const getPosition = (question: Partial<PositionQuestion>): Promise<PositionView> =>
  request('POST', '/analysis/position', question);

/** The engines of the club; they are got ready. */
export const getEngines = (): Promise<{ engines: EngineInfo[] }> => request('GET', '/analysis/engines');

/** Reads a PGN into a tree. */
export const readPgn = (pgn: string): Promise<TreeView> => request('POST', '/analysis/tree', { pgn });

/** Writes a tree as PGN. */
export const writePgn = (tree: TreeView): Promise<string> => request('POST', '/analysis/pgn', tree, 'text');

/** A game as PGN. */
export const getGamePgn = (game: string): Promise<string> => request('GET', `/games/${game}/pgn`, undefined, 'text');

/** A game of the library as PGN. */
export const getLibraryPgn = (number: string): Promise<string> =>
  request('GET', `/library/games/${encodeURIComponent(number)}/pgn`, undefined, 'text');

/** My studies, the last changed first. */
export const listStudies = (): Promise<{ studies: StudyCard[] }> => request('GET', '/studies');

/** A study of mine. */
export const getStudy = (id: string): Promise<StudyView> => request('GET', `/studies/${id}`);

/** Keeps a new study. */
export const makeStudy = (name: string, tree: TreeView): Promise<StudyView> =>
  request('POST', '/studies', { name, tree });

/** Writes a study anew. */
export const changeStudy = (id: string, version: number, name: string, tree: TreeView): Promise<StudyCard> =>
  request('PUT', `/studies/${id}`, { version, name, tree });

/** Throws a study away. */
export const deleteStudy = (id: string): Promise<void> => request('DELETE', `/studies/${id}`);

/** What can be done about the report of a game. */
export interface ReportDoor {
  /** The report, or how far it has got. */
  look(): Promise<ReportView>;
  /** Asks for it. */
  ask(): Promise<ReportView>;
  /** Calls it off, if I asked for it. */
  cancel(): Promise<void>;
}

const reportAt = (path: string): ReportDoor => ({
  look: () => request('GET', path),
  ask: () => request('POST', path),
  cancel: () => request('DELETE', path),
});

/** The report of a finished game. */
export const reportOf = (game: string): ReportDoor => reportAt(`/games/${game}/report`);

/** The report of a game of the library. */
export const libraryReportOf = (number: number): ReportDoor => reportAt(`/library/games/${number}/report`);

/** How far the reports of my whole history have got. */
export const getBulkReports = (): Promise<BulkReports> => request('GET', '/account/reports');

/** Asks for the reports of all my finished games. */
export const askBulkReports = (): Promise<BulkReports> => request('POST', '/account/reports');

/** Puts the rest of them off, or goes on. */
export const pauseBulkReports = (paused: boolean): Promise<BulkReports> =>
  request('PATCH', '/account/reports', { paused });

/** Calls the rest of them off. */
export const cancelBulkReports = (): Promise<void> => request('DELETE', '/account/reports');
