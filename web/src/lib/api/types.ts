// Short names for the types of the OpenAPI document. Nothing here is written by hand but the names.
import type { components } from './schema';

// Until the server's side of the administration is merged.
export type * from '$lib/accounts/contract';

type Schemas = components['schemas'];

/** The server always writes every field, null where there is nothing; the document only says that it may be null. */
type Told<T> = T extends object ? { [K in keyof T]-?: Told<T[K]> } : T;

export type AccountView = Told<Schemas['AccountView']>;
export type Around = Told<Schemas['Around']>;
export type BoardTheme = Told<Schemas['BoardTheme']>;
export type Challenge = Told<Schemas['ChallengeView']>;
export type ClientMsg = Schemas['ClientMsg'];
export type Clocks = Told<Schemas['ClocksView']>;
export type ClubSetup = Schemas['ClubSetup'];
export type Color = Schemas['Color'];
export type ColorChoice = Schemas['ColorChoice'];
export type FieldProblem = Told<Schemas['FieldProblem']>;
export type GameCard = Told<Schemas['GameCard']>;
export type GameView = Told<Schemas['GameView']>;
export type LastGame = Told<Schemas['LastGameView']>;
export type LogIn = Schemas['LogIn'];
export type LogInAnswer = Told<Schemas['LogInAnswer']>;
export type Me = Told<Schemas['Me']>;
export type MoveView = Told<Schemas['MoveView']>;
export type NewChallenge = Schemas['NewChallenge'];
export type Notation = Told<Schemas['NotationChoice']>;
export type Outcome = Told<Schemas['Outcome']>;
export type PlayerView = Told<Schemas['PlayerView']>;
export type Preferences = Told<Schemas['Preferences']>;
export type Problem = Told<Schemas['Problem']>;
export type Role = Told<Schemas['RoleView']>;
export type ServerMsg = Told<Schemas['ServerMsg']>;
export type SessionView = Told<Schemas['SessionView']>;
export type SignUp = Schemas['SignUp'];
export type SignUpAnswer = Told<Schemas['SignUpAnswer']>;
export type SignUpCheck = Schemas['SignUpCheck'];
export type TimeControl = Told<Schemas['TimeControlView']>;
export type TotpSetup = Told<Schemas['TotpProposal']>;

/** The message of the server with this tag. */
export type ServerMsgOf<T extends ServerMsg['t']> = Extract<ServerMsg, { t: T }>;
