// Measures what GMO chess promises, by hand: `npm run bench:lab`, best with ROOKERY_BIN=../target/release/rookery.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { parseDests } from '../../src/lib/board/dests';
import { readFaces } from '../../src/lib/gmo/faces';
import { toHash } from '../../src/lib/lab/share';
import type { GameView, LabPiece } from '../../src/lib/api/types';
import { tell } from './figures';
import { openBrowser, Person } from './person';
import { Server } from './server';

const ROOK = 'AHH HSH HAA CHA CHA CHA HHA SAS AAA AAA AAA';
/** As long as a genome may be: 498 letters in twenty blocks. */
const LONGEST = Array.from(
  { length: 20 },
  (_, block) => `AHH HSH HSH CHA CHA CHA HHA ${block < 2 ? 'SAS CAS SAC CAC' : 'SAS'}`,
).join(' ');
const FRAMES = 240;

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

/** Thirty-two genomes of which no two are alike, each on a square of its own. */
function menagerie(): LabPiece[] {
  const letters = ['S', 'A', 'C'];
  const codon = (n: number): string =>
    [Math.floor(n / 9) % 3, Math.floor(n / 3) % 3, n % 3].map((i) => letters[i]).join('');
  const pieces = Array.from({ length: 32 }, (_, i) => ({
    square: 'abcdefgh'.charAt(i % 8) + String([1, 2, 7, 8][Math.floor(i / 8)]),
    owner: i < 16 ? ('white' as const) : ('black' as const),
    // Two codons begin again after 27.
    dna: `AHHHSHHAACHACHACHAHHA${codon(i)}${codon(i * 7 + 5)}${codon(Math.floor(i / 27) + 1)}`,
    pawn: Math.floor(i / 8) % 3 !== 0,
    king: i === 4 || i === 28,
    look: 0,
  }));
  if (new Set(pieces.map(({ dna }) => dna)).size !== 32) throw new Error('two creatures are alike');
  return pieces;
}

/** What the page's main thread has worked since it began, in milliseconds. */
async function worked(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** The lab with all creatures on its board. */
async function openLab(): Promise<Person> {
  const person = await Person.arrive(browser, server.url, { reducedMotion: 'no-preference' });
  await person.page.goto(`/lab#${toHash({ dna: ROOK, pieces: menagerie() })}`);
  await person.page.waitForFunction(() => document.querySelectorAll('.gmo-board .piece').length === 32);
  return person;
}

test('a frame of 32 creatures', async () => {
  const person = await openLab();
  const { page } = person;
  await page.getByRole('radio', { name: 'Move', exact: true }).click();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  // Every frame the whole board is drawn anew, with all its creatures.
  const redraw = async (): Promise<number[]> =>
    page.evaluate(async (frames) => {
      const board = document.querySelector<SVGSVGElement>('.gmo-board');
      const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
      const times: number[] = [];
      let before = await frame();
      for (let i = 0; i < frames; i += 1) {
        board?.setAttribute('viewBox', i % 2 === 0 ? '0 0 8.001 8.001' : '0 0 8 8');
        const now = await frame();
        times.push(now - before);
        before = now;
      }
      return times;
    }, FRAMES);
  await redraw();
  const begun = await worked(session);
  const times = await redraw();
  const work = ((await worked(session)) - begun) / FRAMES;
  tell('frame to frame while 32 creatures are redrawn', times, 16.7);
  // eslint-disable-next-line no-console -- the figures are what it is for
  console.log(`work of the page for one such frame: ${work.toFixed(2)} ms (promised: 16 ms)`);
  await drag(page, session);
  await person.leave();
}, 120_000);

/** A creature carried over the board: what one frame of it costs. */
async function drag(page: Page, session: CDPSession): Promise<void> {
  const box = await page.locator('.gmo-board').boundingBox();
  if (box === null) throw new Error('there is no board');
  const step = box.width / 8;
  await page.mouse.move(box.x + step / 2, box.y + box.height - step / 2);
  await page.mouse.down();
  const begun = await worked(session);
  for (let i = 0; i < 100; i += 1) await page.mouse.move(box.x + step + i * 3, box.y + box.height - step - i * 2);
  const work = ((await worked(session)) - begun) / 100;
  await page.mouse.up();
  // eslint-disable-next-line no-console -- the figures are what it is for
  console.log(`work of the page for one step of a drag: ${work.toFixed(2)} ms (promised: 16 ms)`);
}

/** Types a text letter by letter, so many times; gives from each key how long it took until its explanation was there. */
async function type(page: Page, text: string, rounds: number): Promise<number[]> {
  return page.evaluate(
    async ({ text, rounds }) => {
      const area = document.querySelector<HTMLTextAreaElement>('#dna');
      const desk = document.querySelector('.desk');
      if (area === null || desk === null) throw new Error('there is no editor');
      // The browser tells when an answer has come and when the page has changed: to look again and again would cost what
      // is measured.
      let heard: (entry: PerformanceEntry) => void = () => undefined;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => heard(entry))).observe({
        type: 'resource',
      });
      let changed = 0;
      new MutationObserver(() => (changed = performance.now())).observe(desk, {
        attributes: true,
        characterData: true,
        childList: true,
        subtree: true,
      });
      const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        for (let length = 1; length <= text.length; length += 1) {
          const answered = new Promise<PerformanceEntry>((done) => (heard = done));
          const begun = performance.now();
          area.value = text.slice(0, length);
          area.dispatchEvent(new InputEvent('input', { bubbles: true }));
          const { startTime, duration } = await answered;
          // What the answer has changed is on the page two frames later; when it got there is known.
          await frame();
          await frame();
          times.push(Math.max(changed, startTime + duration) - begun);
        }
      }
      return times;
    },
    { text, rounds },
  );
}

test('parse and explain on every key', async () => {
  const person = await openLab();
  const session = await person.page.context().newCDPSession(person.page);
  await session.send('Performance.enable');
  for (const [name, text, rounds] of [
    ['a rook', ROOK, 5],
    ['the longest genome', LONGEST, 1],
  ] as const) {
    await type(person.page, ROOK, 1);
    const before = await worked(session);
    const times = await type(person.page, text, rounds);
    tell(`from a key to its explanation on the page, ${name}`, times, 5);
    const work = ((await worked(session)) - before) / times.length;
    // eslint-disable-next-line no-console -- the figures are what it is for
    console.log(`work of the page for one key, drawing included, ${name}: ${work.toFixed(2)} ms`);
  }
  await person.leave();
}, 120_000);

test('moves of all pieces from the server', async () => {
  const person = await openLab();
  const times = await person.page.evaluate(async (pieces) => {
    const times: number[] = [];
    for (let i = 0; i < 300; i += 1) {
      const begun = performance.now();
      const answer = await fetch('/api/v1/gmo/lab/targets', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ pieces }),
      });
      await answer.json();
      times.push(performance.now() - begun);
    }
    return times;
  }, menagerie());
  tell('moves of 32 pieces, browser to server and back', times, 10);
  await person.leave();
}, 120_000);

/** How long the game is in which one asks. */
const PLIES = 200;

/** A quiet move that is not the queen's, who would freeze the game: which one, the number says. */
function quietMove({ fen, dests }: GameView, number: number): string {
  const stands = new Map(readFaces(fen).pieces.map((piece) => [piece.square, piece]));
  const moves = [...parseDests(dests)].flatMap(([from, targets]) =>
    stands.get(from)?.isPawn === true || stands.get(from)?.look === stands.get('d1')?.look
      ? []
      : targets.filter((to) => !stands.has(to)).map((to) => from + to),
  );
  return moves[number % moves.length] ?? '';
}

test('a preview in a long game', async () => {
  const arrive = async (): Promise<Person> => {
    const person = await Person.arrive(browser, server.url);
    await person.page.goto('/');
    return person;
  };
  const [white, black, watcher] = [await arrive(), await arrive(), await arrive()];
  const sides = [white.page.request, black.page.request] as const;
  const terms = { variant: 'gmo', time: { kind: 'unlimited' }, color: 'white' };
  const { id } = (await (await sides[0].post('/api/v1/challenges', { data: terms })).json()) as { id: string };
  await sides[1].post(`/api/v1/challenges/${id}/acceptance`);
  for (const [side, king] of [
    [0, 'e1'],
    [1, 'e8'],
  ] as const)
    await sides[side].post(`/api/v1/games/${id}/army`, { data: { preset: 'classic', kings: [king] } });
  let view = (await (await sides[0].get(`/api/v1/games/${id}`)).json()) as GameView;
  for (let number = 1; view.ply < PLIES;) {
    // Numbers without a pattern, and the same in every run (Park and Miller).
    number = (number * 48_271) % 0x7fffffff;
    const data = { ply: view.ply, uci: quietMove(view, number) };
    const played = await sides[view.ply % 2 === 0 ? 0 : 1].post(`/api/v1/games/${id}/moves`, { data });
    if (!played.ok()) throw new Error(`${data.uci} was refused: ${await played.text()}`);
    view = (await (await sides[view.ply % 2 === 0 ? 1 : 0].get(`/api/v1/games/${id}`)).json()) as GameView;
  }
  for (const [who, { page }] of [
    ['a player', white],
    ['a watcher', watcher],
  ] as const) {
    for (const ply of [PLIES, PLIES / 2]) {
      const times = await page.evaluate(
        async ({ id, ply }) => {
          const times: number[] = [];
          for (let i = 0; i < 200; i += 1) {
            const begun = performance.now();
            // The board asks for both at once.
            await Promise.all(
              ['targets', 'genomes'].map(async (what) => {
                const answer = await fetch(`/api/v1/games/${id}/${what}?ply=${ply}`);
                await answer.json();
              }),
            );
            times.push(performance.now() - begun);
          }
          return times;
        },
        { id, ply },
      );
      tell(`where the pieces could go at ply ${ply} of ${PLIES}, asked by ${who}`, times, 10);
    }
  }
  for (const person of [white, black, watcher]) await person.leave();
}, 120_000);
