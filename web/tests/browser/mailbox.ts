// A real mail server on loopback, `aiosmtpd`, which puts what it takes into a folder; and somebody who reads it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './server';

export class Mailbox {
  #read = new Set<string>();

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  static async open(): Promise<Mailbox> {
    const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'rookery-mail-'))];
    const args = ['--nosetuid', '--listen', `127.0.0.1:${port}`, '--class', 'aiosmtpd.handlers.Mailbox'];
    const mailbox = new Mailbox(port, folder, spawn('aiosmtpd', [...args, join(folder, 'mails')], { stdio: 'ignore' }));
    await until(() => listens(port));
    return mailbox;
  }

  /** The part of `rookery.toml` that leads here. */
  get settings(): string {
    return `[mail]\nserver = "localhost"\nport = ${this.port}\ntls = "none"\nfrom = "Tower Chess Club <club@example.org>"\n`;
  }

  /** Waits for a mail to this address that was not read yet; gives the path of the first link in it. */
  async linkTo(address: string): Promise<string> {
    let link: string | undefined;
    await until(async () => {
      link = this.#unread()
        .filter((mail) => mail.includes(address))
        .map((mail) => /https?:\/\/[^\s"<]+/.exec(decode(mail))?.[0])
        .find((found) => found !== undefined);
      return link !== undefined;
    });
    const { pathname, search, hash } = new URL(link ?? '');
    return pathname + search + hash;
  }

  #unread(): string[] {
    const folder = join(this.folder, 'mails/new');
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => !this.#read.has(name));
    for (const name of names) this.#read.add(name);
    return names.map((name) => readFileSync(join(folder, name), 'utf8'));
  }

  /** Puts aside what has come so far. */
  async readAll(): Promise<void> {
    await new Promise((done) => setTimeout(done, 500));
    this.#unread();
  }

  close(): void {
    this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Undoes quoted-printable, as far as links are concerned. */
function decode(mail: string): string {
  if (!/quoted-printable/i.test(mail)) return mail;
  return mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function listens(port: number): Promise<boolean> {
  return new Promise((told) => {
    const line = connect(port, '127.0.0.1', () => {
      line.destroy();
      told(true);
    });
    line.once('error', () => told(false));
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const began = Date.now(); Date.now() - began < 20_000;) {
    if (await isSo()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the mail did not come');
}
