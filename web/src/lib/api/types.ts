// Short names for the types of the OpenAPI document. Nothing here is written by hand but the names.
import type { FieldProblem } from '$lib/accounts/contract';
import type { components } from './schema';

// Until the server's side of the accounts is merged.
export type * from '$lib/accounts/contract';

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
export type GameView = Told<Schemas['GameView']>;
export type MoveView = Told<Schemas['MoveView']>;
export type NewChallenge = Schemas['NewChallenge'];
export type Outcome = Told<Schemas['Outcome']>;
export type PlayerView = Told<Schemas['PlayerView']>;
export type Problem = Told<Schemas['Problem']> & { fields?: FieldProblem[] };
export type ServerMsg = Told<Schemas['ServerMsg']>;
export type TimeControl = Told<Schemas['TimeControlView']>;

/** The message of the server with this tag. */
export type ServerMsgOf<T extends ServerMsg['t']> = Extract<ServerMsg, { t: T }>;
