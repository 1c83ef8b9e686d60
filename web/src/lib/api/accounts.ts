// The operations on accounts: signing up, logging in, and what somebody may change of their own.
import { request } from './client';
import type {
  AccountView,
  CaptchaChallenge,
  FieldProblem,
  LogIn,
  LogInAnswer,
  NewToken,
  Preferences,
  SessionView,
  SignUp,
  SignUpAnswer,
  SignUpCheck,
  TokenView,
  TotpSetup,
} from './types';

/** The password, and the code of the second factor where it is on: proof that it is still the same person. */
export interface Proof {
  password: string;
  code?: string;
}

/** What the server would say about these fields of a sign-up. */
export const checkSignUp = (fields: SignUpCheck): Promise<{ fields: FieldProblem[] }> =>
  request('POST', '/sign-up/check', fields);

/** A puzzle that costs a robot more than it costs a person. */
export const getCaptcha = (): Promise<CaptchaChallenge> => request('GET', '/captcha');

export const signUp = (fields: SignUp): Promise<SignUpAnswer> => request('POST', '/sign-up', fields);

/** Uses the link of the activation mail. */
export const activate = (token: string): Promise<void> => request('POST', '/activation', { token });

/** Sends the activation mail again, if there is anything to activate. */
export const resendActivation = (name_or_email: string, captcha?: string): Promise<void> =>
  request('POST', '/activation/resend', { name_or_email, captcha });

export const logIn = (fields: LogIn): Promise<LogInAnswer> => request('POST', '/log-in', fields);

/** The second step of logging in: a code of the app, or a recovery code. */
export const logInSecondStep = (ticket: string, code: string): Promise<LogInAnswer> =>
  request('POST', '/log-in/second-step', { ticket, code });

/** Logs in with the link on a printed card. */
export const logInByCard = (token: string): Promise<LogInAnswer> => request('POST', '/log-in/card', { token });

export const logOut = (): Promise<void> => request('POST', '/log-out');

/** Asks for a mail with a reset link. The answer never tells whether there is such an account. */
export const askPasswordReset = (name_or_email: string, captcha?: string): Promise<void> =>
  request('POST', '/password-reset', { name_or_email, captcha });

export const finishPasswordReset = (token: string, password: string, code?: string): Promise<void> =>
  request('POST', '/password-reset/finish', { token, password, code });

export const getAccount = (): Promise<AccountView> => request('GET', '/account');

export const putPreferences = (preferences: Preferences): Promise<void> =>
  request('PUT', '/account/preferences', preferences);

export const changeEmail = (email: string, proof: Proof): Promise<void> =>
  request('POST', '/account/email', { email, ...proof });

/** Uses the link that was sent to the new address. */
export const confirmEmail = (token: string): Promise<void> => request('POST', '/account/email/confirm', { token });

/** Without an old password only where the one of now was given to the person by somebody else. */
export const changePassword = (new_password: string, old_password?: string, code?: string): Promise<void> =>
  request('POST', '/account/password', { old_password, new_password, code });

export const beginTotp = (password: string): Promise<TotpSetup> => request('POST', '/account/totp', { password });

export const confirmTotp = (code: string): Promise<{ recovery_codes: string[] }> =>
  request('POST', '/account/totp/confirm', { code });

export const endTotp = (proof: Proof): Promise<void> => request('DELETE', '/account/totp', proof);

export const renewRecoveryCodes = (proof: Proof): Promise<{ recovery_codes: string[] }> =>
  request('POST', '/account/recovery-codes', proof);

export const listSessions = (): Promise<{ sessions: SessionView[] }> => request('GET', '/account/sessions');

export const endSession = (id: string): Promise<void> =>
  request('DELETE', `/account/sessions/${encodeURIComponent(id)}`);

/** Ends every session but this one. */
export const endOtherSessions = (): Promise<void> => request('DELETE', '/account/sessions');

export const listTokens = (): Promise<{ tokens: TokenView[] }> => request('GET', '/account/tokens');

/** Makes an API token; its text is in this answer and nowhere else. */
export const createToken = (token: NewToken): Promise<TokenView> => request('POST', '/account/tokens', token);

export const revokeToken = (id: string): Promise<void> =>
  request('DELETE', `/account/tokens/${encodeURIComponent(id)}`);

export const deleteAccount = (proof: Proof): Promise<void> => request('DELETE', '/account', proof);

/** Where everything about me can be downloaded. */
export const EXPORT_JSON = '/api/v1/account/export';
/** Where my games can be downloaded. */
export const EXPORT_PGN = '/api/v1/account/export.pgn';
