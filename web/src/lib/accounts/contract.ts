// TEMPORARY: what the server will say once its side of the accounts is merged; then `schema.ts` takes over.
import type { Outcome, PlayerView } from '$lib/api/types';

export type Role = 'arbiter' | 'director' | 'administrator';
export type Notation = 'en' | 'de' | 'cs' | 'sk' | 'pl' | 'fr' | 'es' | 'figurine';
export type BoardTheme = 'wood' | 'green' | 'blue' | 'grey';

export interface Preferences {
  notation: Notation;
  piece_set: 'cburnett';
  board_theme: BoardTheme;
  sounds: boolean;
  move_confirmation: boolean;
  auto_queen: boolean;
}

export interface Me {
  account: PlayerView | null;
  roles: Role[];
  player: null | {
    email_verified: boolean;
    has_email: boolean;
    totp: boolean;
    must_change_password: boolean;
    preferences: Preferences;
  };
  club: {
    name: string;
    is_set_up: boolean;
    sign_up: 'open' | 'invite' | 'closed';
    email: 'optional' | 'required';
    activation: 'off' | 'required';
    passwords: 'modern' | 'classic';
    chat: 'all' | 'presets' | 'off';
    captcha: boolean;
    initial_rating: number;
    initial_rating_cap: number;
    mail: boolean;
  };
  version: string;
}

export interface FieldProblem {
  field: string;
  code: string;
  detail: string;
}

export interface SignUp {
  name: string;
  email?: string;
  password: string;
  initial_rating?: number;
  preferences?: Preferences;
  invite?: string;
  captcha?: string;
}
export interface SignUpAnswer {
  state: 'active' | 'activation_sent';
}

export interface LogIn {
  name_or_email: string;
  password: string;
  captcha?: string;
}
export type LogInAnswer = { state: 'signed_in' } | { state: 'second_step'; ticket: string };

export interface LastGame {
  id: string;
  position: string;
  outcome: Outcome;
  ended_at: number;
  played_white: boolean;
}

export interface AccountView {
  name: string;
  email: string | null;
  email_verified: boolean;
  pending_email: string | null;
  created_at: number;
  changed_at: number;
  last_login_at: number | null;
  current_login_at: number | null;
  totp: boolean;
  recovery_codes_left: number;
  preferences: Preferences;
  roles: Role[];
  must_change_password: boolean;
  last_game: LastGame | null;
}

export interface TotpSetup {
  secret: string;
  otpauth_uri: string;
  qr_svg: string;
}

export interface SessionView {
  id: string;
  device: string;
  address: string;
  created_at: number;
  last_used_at: number;
  current: boolean;
}

export type TokenScope = 'play' | 'read' | 'tournament' | 'admin';
export interface TokenView {
  id: string;
  name: string;
  scopes: TokenScope[];
  created_at: number;
  expires_at: number;
  used_at: number | null;
  token?: string;
}

export interface CaptchaChallenge {
  parameters: {
    algorithm: string;
    cost: number;
    keyLength: number;
    keyPrefix: string;
    nonce: string;
    salt: string;
  };
  signature?: string;
}

export type PlayerState = 'pending' | 'active' | 'deactivated';
export interface UserView {
  id: string;
  name: string;
  email: string | null;
  state: PlayerState;
  roles: Role[];
  created_at: number;
  last_login_at: number | null;
  totp: boolean;
  group: string | null;
}
export interface UserPage {
  users: UserView[];
  next: string | null;
}
export interface UserChange {
  name?: string;
  email?: string;
  state?: PlayerState;
  group?: string;
}
export interface BulkCard {
  name: string;
  user_name: string;
  password: string;
  login_url: string;
  qr_svg: string;
}
export interface BulkAnswer {
  cards: BulkCard[];
  problems: Array<{ line: number; detail: string }>;
}
export interface Invite {
  id: string;
  url?: string;
  created_at: number;
  expires_at: number;
  uses_left: number;
}
export interface Policy {
  club_name: string;
  sign_up: 'open' | 'invite' | 'closed';
  email: 'optional' | 'required';
  activation: 'off' | 'required';
  chat: 'all' | 'presets' | 'off';
}
export interface AuditPerson {
  id: string;
  name: string;
}
export interface AuditLine {
  seq: number;
  at: number;
  actor: AuditPerson | null;
  act: string;
  subject: AuditPerson | null;
  detail: string;
}
export interface AuditPage {
  lines: AuditLine[];
  next: number | null;
}
export interface MailState {
  configured: boolean;
  waiting: number;
  problem: string | null;
  failed: Array<{ recipient: string; subject: string; problem: string; created_at: number }>;
}

export type SignUpCheck = Partial<Record<'name' | 'email' | 'password', string>>;
export interface NewToken {
  name: string;
  scopes: TokenScope[];
  days: number;
}
export interface NewInvite {
  days: number;
  uses: number;
}

export interface ClubSetup {
  token: string;
  club_name: string;
  name: string;
  password: string;
}
