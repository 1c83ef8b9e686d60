// A small client of Rookery's store of genomes and presets, for Node 20 or later and for browsers. No dependencies.
//
//   node genome-store.mjs http://127.0.0.1:8080 store AHHHSHHAACHACHACHAHHASASAAAAAAAAA
//   node genome-store.mjs http://127.0.0.1:8080 read 1c1736
//   node genome-store.mjs http://127.0.0.1:8080 store-preset rook-knight-bishop-king-queen-bishop-knight-rook
//   node genome-store.mjs http://127.0.0.1:8080 read-preset default
//
// Set ROOKERY_TOKEN to a token of your account (Account, API tokens) to store and read as yourself. Without one the
// server takes you for a new guest each time: whatever you store is then private to nobody you can be again.

/** A request is tried so often at most; the first pause, which doubles each time. */
const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;

/** The server said no: `code` is the code of the rules, such as `E_OWNER` or `S_NOT_FOUND`. */
export class StoreError extends Error {
  constructor(status, code, message) {
    super(message);
    this.name = 'StoreError';
    this.status = status;
    this.code = code;
  }
}

export class GenomeStore {
  /**
   * @param {string} url where the club is, `https://chess.example.org`
   * @param {{ token?: string, fetch?: typeof fetch, sleep?: (ms: number) => Promise<void> }} options
   */
  constructor(url, { token, fetch = globalThis.fetch, sleep = wait } = {}) {
    this.url = url.replace(/\/+$/, '');
    this.token = token;
    this.fetch = fetch;
    this.sleep = sleep;
  }

  /** Stores a DNA; gives `{ code, sha, created }`. Storing it again gives the same code. */
  async storeGenome(dna) {
    const text = dna.replace(/\s+/g, '');
    // The hash in the address lets the server refuse what was damaged on the way.
    return JSON.parse(await this.#send('POST', `/genome/${await sha256(text)}`, text));
  }

  /** The DNA of a code, or of the name of a built-in piece. */
  readGenome(code) {
    return this.#send('GET', `/genome/${encodeURIComponent(code)}`);
  }

  /** Stores a preset: eight codes or names joined by `-`. The server writes each genome's own code, so no hash is sent. */
  async storePreset(codes) {
    return JSON.parse(await this.#send('POST', '/preset', codes));
  }

  readPreset(code) {
    return this.#send('GET', `/preset/${encodeURIComponent(code)}`);
  }

  /**
   * One request, tried again with growing pauses while the server cannot be reached or is not well. Everything here may
   * be sent twice: storing is idempotent. What the server refuses (4xx) stays refused, but for 429: too fast.
   */
  async #send(method, path, body) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#try(method, path, body).catch((error) => error);
      const isAnswer = !(answer instanceof Error);
      if (isAnswer && answer.ok) return answer.text();
      const isPassing = !isAnswer || answer.status === 429 || answer.status >= 500;
      if (!isPassing || attempt === MOST_ATTEMPTS) {
        if (!isAnswer) throw answer;
        const problem = await answer.json().catch(() => ({}));
        throw new StoreError(answer.status, problem.code ?? 'unknown', problem.detail ?? answer.statusText);
      }
      // A little chance, so that a whole class does not come back in the same moment.
      const pause = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      const wanted = isAnswer ? Number(answer.headers.get('retry-after') ?? 0) * 1000 : 0;
      await this.sleep(Math.max(pause, wanted));
    }
  }

  #try(method, path, body) {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    if (this.token !== undefined) headers.authorization = `Bearer ${this.token}`;
    return this.fetch(this.url + path, { method, headers, body, signal: AbortSignal.timeout(10_000) });
  }
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** SHA-256 in hexadecimal digits. */
async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const isCalled = typeof process !== 'undefined' && import.meta.url === `file://${process.argv[1]}`;
if (isCalled) {
  const [url, command, text] = process.argv.slice(2);
  const store = new GenomeStore(url ?? 'http://127.0.0.1:8080', { token: process.env.ROOKERY_TOKEN });
  const commands = {
    store: () => store.storeGenome(text),
    read: () => store.readGenome(text),
    'store-preset': () => store.storePreset(text),
    'read-preset': () => store.readPreset(text),
  };
  const run = commands[command];
  if (run === undefined || text === undefined) {
    console.error(`usage: node genome-store.mjs URL ${Object.keys(commands).join('|')} TEXT`);
    process.exitCode = 2;
  } else {
    try {
      console.log(await run());
    } catch (error) {
      console.error(error instanceof StoreError ? `${error.code}: ${error.message}` : String(error));
      process.exitCode = 1;
    }
  }
}
