// SHA-256 (FIPS 180-4) for the captcha. The browser's own is missing where a club serves plain http in its network:
// `crypto.subtle` exists in secure contexts only. Nothing secret is hashed here.

const K = Uint32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)));

/** The constants of the standard are the first 32 bits behind the point of roots of primes. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
const w = new Uint32Array(64);
const at = (i: number): number => w[i] as number;

/** Takes one block of 64 bytes into the state. */
function takeBlock(state: Uint32Array, block: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = block.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [at(i - 15), at(i - 2)];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = at(i - 16) + s0 + at(i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + at(i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  const end = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (end[i] as number);
}

/** The 32 bytes of the hash. */
export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const block = new DataView(padded.buffer);
  block.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  block.setUint32(padded.length - 4, message.length * 8);
  const state = START.slice();
  for (let offset = 0; offset < padded.length; offset += 64) takeBlock(state, block, offset);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setUint32(i * 4, word));
  return new Uint8Array(hash.buffer);
}
