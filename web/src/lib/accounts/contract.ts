// TEMPORARY: what the server will say once its side of the accounts is merged; then `schema.ts` takes over.
import type { Role } from '$lib/api/types';

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

export interface NewToken {
  name: string;
  scopes: TokenScope[];
  days: number;
}
export interface NewInvite {
  days: number;
  uses: number;
}
