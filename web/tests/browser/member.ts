// What members of a club do at their browser: sign up, log in and out, prove who they are.
import { createHmac } from 'node:crypto';
import type { Person } from './person';
import type { Server } from './server';

export const PASSWORD = 'four rooks on seven ranks';

/** Settings of a club that trusts this machine as a school trusts its classroom, and hashes passwords quickly. */
export const QUICK = `[accounts]
trusted_networks = ["127.0.0.0/8"]
[accounts.argon2]
memory_kib = 64
iterations = 1
`;

/** The letters of base32 (RFC 4648) that authenticator apps read. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** An authenticator app (RFC 6238). Each code counts once, so it never shows the same step twice. */
export class Authenticator {
  #last = 0;

  constructor(private readonly secret: string) {}

  /** A code that was not used yet. A step ahead is within what clocks may differ; for more it waits. */
  async code(): Promise<string> {
    const step = Math.max(Math.floor(Date.now() / STEP_MS), this.#last + 1);
    const early = (step - 1) * STEP_MS - Date.now();
    if (early > 0) await new Promise((done) => setTimeout(done, early + 500));
    this.#last = step;
    return this.#at(step);
  }

  #at(step: number): string {
    const bits = [...this.secret.replaceAll(' ', '')].map((letter) =>
      BASE32.indexOf(letter).toString(2).padStart(5, '0'),
    );
    const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const hash = createHmac('sha1', key).update(counter).digest();
    const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff;
    return String(number % 1_000_000).padStart(6, '0');
  }
}

/** Fills the form of the first set-up. */
export async function fillSetup({ page }: Person, club: string, name = 'Caretaker'): Promise<void> {
  await page.getByLabel('Name of the club').fill(club);
  await page.getByLabel('Your user name').fill(name);
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
}

/** Makes this person the first administrator; logs in where an earlier try of the same test has done that. */
export async function setUp(person: Person, server: Server, club = 'Tower Chess Club'): Promise<void> {
  if (await exists(person, 'Caretaker')) return logIn(person, 'Caretaker');
  const { pathname, search } = new URL(server.setupLink ?? '');
  await person.page.goto(pathname + search);
  await fillSetup(person, club);
  await person.presses('Open the club');
  await person.sees(`${club} is open`);
}

const exists = async ({ page }: Person, name: string): Promise<boolean> =>
  (await page.request.get(`/api/v1/players/${encodeURIComponent(name)}`)).ok();

/** Fills the sign-up form, without sending it. */
export async function fillSignUp({ page }: Person, name: string, email?: string, path = '/sign-up'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('User name').fill(name);
  if (email !== undefined) await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
}

/** Signs up where no activation is needed, or logs in if an earlier try of the same test has signed up. */
export async function signUp(person: Person, name: string, email?: string, path?: string): Promise<void> {
  if (await exists(person, name)) return logIn(person, name);
  await fillSignUp(person, name, email, path);
  await person.page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await isLoggedIn(person, name);
}

/** Fills and sends the log-in form. */
export async function tryLogIn({ page }: Person, name: string, password = PASSWORD): Promise<void> {
  await page.goto('/log-in');
  await page.getByLabel('User name or e-mail').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
}

export async function logIn(person: Person, name: string, password = PASSWORD): Promise<void> {
  await tryLogIn(person, name, password);
  await isLoggedIn(person, name);
}

export async function isLoggedIn({ page }: Person, name: string): Promise<void> {
  await page.getByRole('button', { name: `Menu of ${name}` }).waitFor();
}

export async function isNobody({ page }: Person): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).waitFor();
}

export async function logOut(person: Person, name: string): Promise<void> {
  // A page that is still on its way somewhere would close the menu again.
  await person.page.goto('/');
  await person.page.getByRole('button', { name: `Menu of ${name}` }).click();
  await person.presses('Log out');
  await isNobody(person);
}

/** Turns the second factor on with what the page shows; gives the app and the recovery codes. */
export async function turnOnTotp({ page }: Person): Promise<{ app: Authenticator; codes: string[] }> {
  const app = new Authenticator((await page.locator('.secret code').textContent()) ?? '');
  await page.getByLabel(/six digits/).fill(await app.code());
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).locator('code');
  await codes.first().waitFor();
  return { app, codes: await codes.allTextContents() };
}
