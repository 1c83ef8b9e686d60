// TEMPORARY: what the server will say once its side of live play is merged; then `schema.ts` takes over.
import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
type Told<T> = T extends object ? { [K in keyof T]-?: Told<T[K]> } : T;
type Color = Schemas['Color'];

export interface PlayerView {
  id: string;
  name: string;
  guest: boolean;
  rating: number | null;
  provisional: boolean;
  bot: boolean;
}

export interface Sides<T> {
  white: T;
  black: T;
}

export type Bonus = { kind: 'none' } | { kind: 'fischer' | 'bronstein' | 'delay'; ms: number };

export interface Stage {
  moves: number | null;
  time_ms: number;
  bonus: Bonus;
}

export type TimeControl =
  | { kind: 'fischer'; initial_ms: number; increment_ms: number }
  | { kind: 'unlimited' }
  | { kind: 'stages'; white: Stage[]; black: Stage[] };

export type ChatPolicy = 'all' | 'presets' | 'off';
export type ChatRoom = 'players' | 'watchers';

export interface ChatLine {
  number: number;
  room: ChatRoom;
  by: PlayerView;
  text: string;
  at: number;
}

export interface RatingChange {
  before: number;
  after: number;
  provisional: boolean;
}

export type Around = Told<Schemas['Around']> & { gone: { side: Color; claim_at: number } | null; now: number };

export type GameView = Omit<Told<Schemas['GameView']>, 'players' | 'time' | 'around'> & {
  players: Sides<PlayerView>;
  time: TimeControl;
  around: Around;
  rated: boolean;
  pool: string | null;
  speed: string | null;
  takeback_offer: Color | null;
  can_take_back: boolean;
  can_give_time: boolean;
  can_claim_draw: boolean;
  can_chat: boolean;
  chat: ChatLine[];
  ratings: Sides<RatingChange> | null;
  lag: Sides<number>;
};

export type GameCard = Omit<Told<Schemas['GameCard']>, 'players' | 'time'> & {
  players: Sides<PlayerView>;
  time: TimeControl;
};

export type ChallengeKind = 'link' | 'direct' | 'seek';

export type Challenge = Omit<Told<Schemas['ChallengeView']>, 'challenger' | 'time' | 'state'> & {
  challenger: PlayerView;
  time: TimeControl;
  state: 'open' | 'accepted' | 'cancelled' | 'declined' | 'expired';
  audience: ChallengeKind;
  variant: Schemas['Variant'];
  rated: boolean;
  asked: PlayerView | null;
  lowest_rating: number | null;
  highest_rating: number | null;
  reason: RefusalReason | null;
  expires_at: number | null;
};

export type RefusalReason =
  'later' | 'generic' | 'too_fast' | 'too_slow' | 'rated' | 'casual' | 'other_variant' | 'not_bots';

export interface NewChallenge {
  kind?: ChallengeKind;
  variant?: Schemas['Variant'];
  time: TimeControl;
  color: Schemas['ColorChoice'];
  rated?: boolean;
  asked?: string;
  lowest_rating?: number;
  highest_rating?: number;
}

export interface QueueTerms {
  variant: Schemas['Variant'];
  time: TimeControl;
  rated: boolean;
}

export interface QueuePlace extends QueueTerms {
  waited_ms: number;
  range: number;
  players: number;
}

export interface Online {
  count: number;
  players: PlayerView[];
}

type GameRequest = 'offer_takeback' | 'accept_takeback' | 'decline_takeback' | 'give_time' | 'claim_draw';

export type ClientMsg =
  | Schemas['ClientMsg']
  | { t: GameRequest; game: string }
  | { t: 'claim_abandonment'; game: string; claim: 'win' | 'draw' }
  | { t: 'chat'; game: string; room: ChatRoom; text: string }
  | ({ t: 'queue_join' } & QueueTerms)
  | { t: 'queue_leave' };

export type GameChange =
  | Told<Schemas['GameChange']>
  | { kind: 'takeback_offered'; by: Color }
  | { kind: 'takeback_declined'; by: Color }
  | { kind: 'taken_back'; ply: number; fen: string; dests: string; check: string | null; to_act: Color | null }
  | { kind: 'time_added'; to: Color; ms: number };

type OldMsg = Told<Schemas['ServerMsg']>;
type Old<T extends OldMsg['t']> = Extract<OldMsg, { t: T }>;

export type RoomState =
  | (GameView & { kind: 'game' })
  | (Challenge & { kind: 'challenge' })
  | {
      kind: 'lobby';
      games: GameCard[];
      featured: GameCard | null;
      seeks: Challenge[];
      online: number;
      playing: number;
    }
  | { kind: 'me'; challenges: Challenge[]; games: GameCard[] };

export type ServerMsg =
  | Exclude<OldMsg, { t: 'state' | 'played' | 'changed' | 'around' }>
  | (Omit<Old<'state'>, 'state'> & { state: RoomState })
  | (Old<'played'> & { can_claim_draw: boolean; lag_ms: number })
  | (Omit<Old<'changed'>, 'change'> & { change: GameChange })
  | (Omit<Old<'around'>, 'around'> & { around: Around })
  | { t: 'chat'; game: string; line: ChatLine }
  | { t: 'rated'; game: string; white: RatingChange; black: RatingChange }
  | { t: 'begin'; game: string }
  | { t: 'queue'; waiting: QueuePlace | null };
