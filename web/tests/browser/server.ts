// The real binary, on a free port of this machine, with a data directory of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export class Server {
  #process: ChildProcess | null = null;
  /** The one-time set-up link that a new server prints. */
  setupLink: string | null = null;

  private constructor(
    readonly port: number,
    readonly data: string,
  ) {}

  /** Starts a new club; `settings` is its `rookery.toml`. */
  static async start(settings = ''): Promise<Server> {
    const server = new Server(await freePort(), mkdtempSync(join(tmpdir(), 'rookery-browser-')));
    writeFileSync(join(server.data, 'rookery.toml'), settings);
    await server.run();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the process on the port and data of before; ready when it says so. */
  async run(): Promise<void> {
    const address = ['--listen', `127.0.0.1:${this.port}`, '--public-url', this.url];
    const child = spawn(binary(), ['serve', ...address, '--data', this.data], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    let output = '';
    child.stderr.on('data', (text) => (output += String(text)));
    await new Promise<void>((ready, failed) => {
      child.once('exit', (code) => failed(new Error(`the server ended with ${code} before it was ready:\n${output}`)));
      createInterface(child.stdout).on('line', (line) => {
        output += `${line}\n`;
        this.setupLink ??= /https?:\S+\/setup\?token=\S+/.exec(line)?.[0] ?? null;
        if (line.includes('listening on')) setTimeout(ready, 50);
      });
    });
  }

  /** A power cut. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    await new Promise((gone) => {
      child.once('exit', gone);
      child.kill('SIGKILL');
    });
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

function binary(): string {
  const target = join(import.meta.dirname, '../../../target');
  const candidates = [process.env.ROOKERY_BIN, join(target, 'release/rookery'), join(target, 'debug/rookery')];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error('no rookery binary: build it, or name it by ROOKERY_BIN');
  return found;
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((give) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => give(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
