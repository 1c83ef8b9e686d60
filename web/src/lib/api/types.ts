// Short names for the types of the OpenAPI document. Nothing here is written by hand but the names.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Around = Schemas['Around'];
export type Challenge = Schemas['Challenge'];
export type ClientMsg = Schemas['ClientMsg'];
export type Clocks = Schemas['Clocks'];
export type Color = Schemas['Color'];
export type ColorChoice = Schemas['ColorChoice'];
export type GameCard = Schemas['GameCard'];
export type GameView = Schemas['GameView'];
export type Me = Schemas['Me'];
export type MoveView = Schemas['MoveView'];
export type NewChallenge = Schemas['NewChallenge'];
export type Outcome = Schemas['Outcome'];
export type PlayerView = Schemas['PlayerView'];
export type Problem = Schemas['Problem'];
export type ServerMsg = Schemas['ServerMsg'];
export type TimeControl = Schemas['TimeControl'];

/** The message of the server with this tag. */
export type ServerMsgOf<T extends ServerMsg['t']> = Extract<ServerMsg, { t: T }>;
