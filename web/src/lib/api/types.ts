// Short names for the types of the OpenAPI document. Nothing here is written by hand but the names and, at the end, what
// the document leaves open.
import type { components } from './schema';

type Schemas = components['schemas'];

/** The server always writes every field, null where there is nothing; the document only says that it may be null. */
type Told<T> = T extends object ? { [K in keyof T]-?: Told<T[K]> } : T;

export type AccountView = Told<Schemas['AccountView']>;
export type Around = Told<Schemas['Around']>;
export type AuditLine = Told<Schemas['AuditLine']>;
export type AuditPage = Told<Schemas['AuditPage']>;
export type BoardTheme = Told<Schemas['BoardTheme']>;
export type Bonus = Told<Schemas['BonusView']>;
export type Bot = Told<Schemas['BotView']>;
export type BotList = Told<Schemas['BotList']>;
export type BulkAnswer = Told<Schemas['BulkResult']>;
export type BulkCard = Told<Schemas['Card']>;
export type Challenge = Told<Schemas['ChallengeView']>;
export type ChallengeKind = Schemas['ChallengeKindView'];
export type ChatLine = Told<Schemas['ChatLineView']>;
export type ChatPolicy = Schemas['ChatPolicy'];
export type ChatRoom = Schemas['ChatRoomView'];
export type ClientMsg = Schemas['ClientMsg'];
export type Clocks = Told<Schemas['ClocksView']>;
export type ClubSetup = Schemas['ClubSetup'];
export type Color = Schemas['Color'];
export type ColorChoice = Schemas['ColorChoice'];
export type ExplorerMove = Told<Schemas['ExplorerMove']>;
export type ExplorerView = Told<Schemas['ExplorerView']>;
export type FieldProblem = Told<Schemas['FieldProblem']>;
export type GameCard = Told<Schemas['GameCard']>;
export type GameSummary = Told<Schemas['GameSummary']>;
export type GameView = Told<Schemas['GameView']>;
export type HistoryPage = Told<Schemas['HistoryPage']>;
export type ImportProblem = Told<Schemas['ImportProblemView']>;
export type ImportView = Told<Schemas['ImportView']>;
export type Inactive = Told<Schemas['InactiveUsers']>;
export type Invite = Told<Schemas['InviteView']>;
export type LastGame = Told<Schemas['LastGameView']>;
export type LeaderView = Told<Schemas['LeaderView']>;
export type Leaderboard = Told<Schemas['Leaderboard']>;
export type LeaderboardList = Told<Schemas['LeaderboardList']>;
export type LibraryGame = Told<Schemas['LibraryGameSummary']>;
export type LibraryGameView = Schemas['LibraryGameView'];
export type LibraryPage = Told<Schemas['LibraryPage']>;
export type LibraryStatistics = Told<Schemas['LibraryStatistics']>;
export type LogIn = Schemas['LogIn'];
export type LogInAnswer = Told<Schemas['LogInAnswer']>;
export type MailState = Told<Schemas['MailView']>;
export type Me = Told<Schemas['Me']>;
export type MoveNode = Schemas['MoveNode'];
export type MoveView = Told<Schemas['MoveView']>;
export type NewChallenge = Partial<Schemas['NewChallenge']> & Pick<Schemas['NewChallenge'], 'time' | 'color'>;
export type NewInvite = Schemas['NewInvite'];
export type NewToken = Schemas['NewApiToken'];
export type Notation = Told<Schemas['NotationChoice']>;
export type Online = Told<Schemas['OnlineList']>;
export type Outcome = Told<Schemas['Outcome']>;
export type PlayerView = Told<Schemas['PlayerView']>;
export type Policy = Told<Schemas['PolicyView']>;
export type PoolView = Told<Schemas['PoolView']>;
export type Preferences = Told<Schemas['Preferences']>;
export type Problem = Told<Schemas['Problem']>;
export type ProfileView = Told<Schemas['ProfileView']>;
export type QueuePlace = Told<Schemas['QueuePlace']>;
export type RatingChange = NonNullable<GameView['ratings']>['white'];
export type RatingChart = Told<Schemas['RatingChart']>;
export type RatingPoint = Told<Schemas['RatingPoint']>;
export type RefusalReason = Schemas['RefusalReason'];
export type ResetLink = Told<Schemas['ResetLink']>;
export type Role = Told<Schemas['RoleView']>;
export type ScoreGroup = Told<Schemas['ScoreGroup']>;
export type ServerMsg = Told<Schemas['ServerMsg']>;
export type SessionView = Told<Schemas['SessionView']>;
export type SignUp = Schemas['SignUp'];
export type SignUpAnswer = Told<Schemas['SignUpAnswer']>;
export type SignUpCheck = Schemas['SignUpCheck'];
export type Stage = Told<Schemas['StageView']>;
export type TimeControl = Told<Schemas['TimeControlView']>;
export type TokenView = Told<Schemas['ApiTokenView']>;
export type TotpSetup = Told<Schemas['TotpProposal']>;
export type UserChange = Partial<Schemas['UserChange']>;
export type UserPage = Told<Schemas['UserPage']>;
export type UserView = Told<Schemas['UserView']>;
export type Variant = Schemas['Variant'];
export type VersusView = Told<Schemas['VersusView']>;

/** What somebody in the queue looks for. */
export type QueueTerms = Pick<QueuePlace, 'variant' | 'time' | 'rated'>;

/** The message of the server with this tag. */
export type ServerMsgOf<T extends ServerMsg['t']> = Extract<ServerMsg, { t: T }>;

/** A puzzle as ALTCHA's protocol has it; the document leaves its form to that protocol. */
export interface CaptchaChallenge {
  parameters: { algorithm: string; cost: number; keyLength: number; keyPrefix: string; nonce: string; salt: string };
  signature?: string;
}

/** What a token may be made for. */
export type TokenScope = 'play' | 'read' | 'tournament' | 'admin';
