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
export type BoardSide = Schemas['BoardSide'];
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
export type RuleChoice = Schemas['RuleChoice'];
export type Clocks = Told<Schemas['ClocksView']>;
export type ClubSetup = Schemas['ClubSetup'];
export type Color = Schemas['Color'];
export type ColorChoice = Schemas['ColorChoice'];
export type ConnectionList = Told<Schemas['ConnectionList']>;
export type ConnectionService = Schemas['Service'];
export type ConnectionView = Told<Schemas['ConnectionView']>;
export type ExplorerMove = Told<Schemas['ExplorerMove']>;
export type ExplorerView = Told<Schemas['ExplorerView']>;
export type FieldProblem = Told<Schemas['FieldProblem']>;
export type GameCard = Told<Schemas['GameCard']>;
export type GamePage = Told<Schemas['GamePage']>;
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
export type LibraryRatingLine = Told<Schemas['LibraryRatingLine']>;
export type LibraryStatistics = Told<Schemas['LibraryStatistics']>;
export type LogIn = Schemas['LogIn'];
export type LogInAnswer = Told<Schemas['LogInAnswer']>;
export type MailState = Told<Schemas['MailView']>;
export type Me = Told<Schemas['Me']>;
export type MoveNode = Schemas['MoveNode'];
export type MoveView = Told<Schemas['MoveView']>;
export type NewChallenge = Partial<Schemas['NewChallenge']> & Pick<Schemas['NewChallenge'], 'time' | 'color'>;
export type NewInvite = Schemas['NewInvite'];
export type NewTable = Schemas['NewTable'];
export type NewToken = Schemas['NewApiToken'];
export type Notation = Told<Schemas['NotationChoice']>;
export type Online = Told<Schemas['OnlineList']>;
export type Outcome = Told<Schemas['Outcome']>;
export type PieceSet = Schemas['PieceSet'];
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
export type ReminderChoice = Told<Schemas['ReminderChoice']>;
export type RemindersView = Told<Schemas['RemindersView']>;
export type ResetLink = Told<Schemas['ResetLink']>;
export type Role = Told<Schemas['RoleView']>;
export type ScoreGroup = Told<Schemas['ScoreGroup']>;
export type ServerMsg = Told<Schemas['ServerMsg']>;
export type SeatWish = Schemas['SeatWish'];
export type SessionView = Told<Schemas['SessionView']>;
export type Settled = Schemas['Settled'];
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

// Analysis.
export type AnalysisState = Told<Schemas['AnalysisState']>;
export type BulkReports = Told<Schemas['BulkView']>;
export type EngineInfo = Told<Schemas['EngineView']>;
export type EngineLine = Told<Schemas['EngineLineView']>;
export type GameReport = Told<Schemas['GameReport']>;
export type LineView = Told<Schemas['LineView']>;
export type MoveReport = Told<Schemas['MoveReport']>;
export type Opening = Told<Schemas['OpeningView']>;
export type PositionQuestion = Told<Schemas['PositionQuestion']>;
export type PositionView = Told<Schemas['PositionView']>;
export type ReportView = Told<Schemas['ReportView']>;
export type Score = Told<Schemas['EvalView']>;
export type SideReport = Told<Schemas['SideReport']>;
export type StudyCard = Told<Schemas['StudyCard']>;
export type StudyView = Told<Schemas['StudyView']>;
export type TreeMove = Told<Schemas['TreeMove']>;
export type TreeView = Told<Schemas['TreeView']>;

// Events.
export type ActionPage = Told<Schemas['ActionPage']>;
export type BoardPlan = Schemas['BoardPlan'];
export type BracketView = Told<Schemas['BracketView']>;
export type ByeKind = Schemas['ByeKind'];
export type ByeView = Told<Schemas['ByeView']>;
export type Cell = Told<Schemas['Cell']>;
export type Consequences = Told<Schemas['Consequences']>;
export type EntrantView = Told<Schemas['EntrantView']>;
export type EventBoard = Told<Schemas['BoardView']>;
export type EventCard = Told<Schemas['EventCard']>;
export type EventForm = Schemas['EventForm'];
export type EventLine = Told<Schemas['EventLineView']>;
export type EventLive = Told<Schemas['EventLive']>;
export type EventOfGame = Told<Schemas['EventOfGame']>;
export type EventPage = Told<Schemas['EventPage']>;
export type EventView = Told<Schemas['EventView']>;
export type ImportedEvent = Told<Schemas['ImportedEvent']>;
export type KnockoutMatch = Told<Schemas['MatchView']>;
export type OpenBoard = Told<Schemas['OpenBoard']>;
export type Person = Partial<Schemas['Person']> & Pick<Schemas['Person'], 'name'>;
export type PlayerCard = Told<Schemas['PlayerCard']>;
export type Proposal = Told<Schemas['Proposal']>;
export type ReadList = Told<Schemas['ReadList']>;
export type Regulations = Told<Schemas['Regulations']>;
export type RoundView = Told<Schemas['RoundView']>;
export type EventScore = Schemas['Score'];
export type StandingRow = Told<Schemas['StandingRow']>;
export type StandingsView = Told<Schemas['StandingsView']>;
export type TimerAct = Schemas['TimerAct'];
export type Suggestion = Told<Schemas['Suggestion']>;
export type System = Schemas['System'];
export type TableView = Told<Schemas['TableView']>;

// GMO chess.
export type Prepared = Told<Schemas['PreparedView']>;
export type PreparedForm = Schemas['PositionBody'];
export type PreparedList = Told<Schemas['PreparedList']>;
export type DefenderAttempt = Told<Schemas['AttemptView']>;
export type DefenderResult = Told<Schemas['DefenderResultView']>;
export type DefenderResults = Told<Schemas['DefenderResults']>;
export type NewDefenderAttempt = Schemas['NewAttemptBody'];
export type Explanation = Told<Schemas['ExplanationView']>;
export type GenomeList = Told<Schemas['GenomeList']>;
export type GmoTerms = Told<Schemas['GmoTerms']>;
export type GenomeView = Told<Schemas['GenomeView']>;
export type KeptChange = Partial<Schemas['KeptChange']>;
export type KnownGenomes = Told<Schemas['KnownGenomes']>;
export type KnownPieces = Told<Schemas['KnownView']>;
export type LabBoard = Told<Schemas['LabView']>;
export type LabPiece = Told<Schemas['LabPiece']>;
export type LabPlayed = Told<Schemas['LabPlayed']>;
export type PresetList = Told<Schemas['PresetList']>;
export type PresetView = Told<Schemas['PresetView']>;
export type OwnPreset = Told<Schemas['OwnPreset']>;
export type OwnPresets = Told<Schemas['OwnPresets']>;
export type SeatProof = Schemas['SeatProof'];
export type Stored = Told<Schemas['StoredView']>;

/** What somebody in the queue looks for. */
export type QueueTerms = Pick<QueuePlace, 'variant' | 'time' | 'rated'> & {
  /** Whether a computer may come to a casual game if nobody else does. */
  bots?: boolean;
};

/** The message of the server with this tag. */
export type ServerMsgOf<T extends ServerMsg['t']> = Extract<ServerMsg, { t: T }>;

/** A puzzle as ALTCHA's protocol has it; the document leaves its form to that protocol. */
export interface CaptchaChallenge {
  parameters: { algorithm: string; cost: number; keyLength: number; keyPrefix: string; nonce: string; salt: string };
  signature?: string;
}

/** What a token may be made for. */
export type TokenScope = 'play' | 'read' | 'tournament' | 'admin';
