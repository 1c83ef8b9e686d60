// Short names for the types of the OpenAPI document. Nothing here is written by hand but the names.
import type { ServerMsg } from '$lib/live/contract';
import type { components } from './schema';

// Until the server's side of live play is merged.
export type * from '$lib/live/contract';

type Schemas = components['schemas'];

/** The server always writes every field, null where there is nothing; the document only says that it may be null. */
type Told<T> = T extends object ? { [K in keyof T]-?: Told<T[K]> } : T;

export type Clocks = Told<Schemas['ClocksView']>;
export type Color = Schemas['Color'];
export type ColorChoice = Schemas['ColorChoice'];
export type MoveView = Told<Schemas['MoveView']>;
export type Outcome = Told<Schemas['Outcome']>;
export type Problem = Told<Schemas['Problem']>;
export type Variant = Schemas['Variant'];

/** The message of the server with this tag. */
export type ServerMsgOf<T extends ServerMsg['t']> = Extract<ServerMsg, { t: T }>;
