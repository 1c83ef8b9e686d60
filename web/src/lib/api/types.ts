// Short names for the types of the OpenAPI document. Nothing here is written by hand but the names.
import type { components } from './schema';

type Schemas = components['schemas'];

/** The server always writes every field, null where there is nothing; the document only says that it may be null. */
type Told<T> = T extends object ? { [K in keyof T]-?: Told<T[K]> } : T;

export type Around = Told<Schemas['Around']>;
export type Challenge = Told<Schemas['ChallengeView']>;
export type ClientMsg = Schemas['ClientMsg'];
export type Clocks = Told<Schemas['ClocksView']>;
export type Color = Schemas['Color'];
export type ColorChoice = Schemas['ColorChoice'];
export type GameCard = Told<Schemas['GameCard']>;
export type GameSummary = Told<Schemas['GameSummary']>;
export type GameView = Told<Schemas['GameView']>;
export type HistoryPage = Told<Schemas['HistoryPage']>;
export type LeaderView = Told<Schemas['LeaderView']>;
export type Leaderboard = Told<Schemas['Leaderboard']>;
export type LeaderboardList = Told<Schemas['LeaderboardList']>;
export type Me = Told<Schemas['Me']>;
export type MoveView = Told<Schemas['MoveView']>;
export type NewChallenge = Schemas['NewChallenge'];
export type Outcome = Told<Schemas['Outcome']>;
export type PlayerView = Told<Schemas['PlayerView']>;
export type PoolView = Told<Schemas['PoolView']>;
export type Problem = Told<Schemas['Problem']>;
export type ProfileView = Told<Schemas['ProfileView']>;
export type RatingChart = Told<Schemas['RatingChart']>;
export type RatingPoint = Told<Schemas['RatingPoint']>;
export type ServerMsg = Told<Schemas['ServerMsg']>;
export type TimeControl = Told<Schemas['TimeControlView']>;
export type VersusView = Told<Schemas['VersusView']>;

/** The message of the server with this tag. */
export type ServerMsgOf<T extends ServerMsg['t']> = Extract<ServerMsg, { t: T }>;
