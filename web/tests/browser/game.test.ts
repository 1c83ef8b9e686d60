import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, Person, sitDown } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

test('two people meet by a link and play to mate, by click and by drag', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.click('f2f3', 'white');
  await black.reads('f3');
  await black.drag('e7e5', 'black');
  await white.reads('f3', 'e5');
  await white.drag('g2g4', 'white');
  await black.reads('f3', 'e5', 'g4');
  await black.click('d8h4', 'black');
  await white.reads('f3', 'e5', 'g4', 'Qh4#');
  await white.sees('You lost');
  await black.sees('You won');
  await black.sees('Checkmate');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('who resigns has lost, and a rematch changes colours', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.click('e2e4', 'white');
  await black.reads('e4');
  await black.click('e7e5', 'black');
  await white.reads('e4', 'e5');
  await white.presses('Resign');
  await white.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await black.sees('You won');
  await black.sees('White resigned');
  const before = white.page.url();
  await black.presses('Rematch');
  await white.presses('Accept rematch');
  await Promise.all([white, black].map(({ page }) => page.waitForURL((url) => url.href !== before)));
  expect(white.page.url()).toBe(black.page.url());
  await black.sits();
  await black.click('d2d4', 'white');
  await white.reads('d4');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('a draw can be offered, declined, offered again and accepted', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.type('e2e4');
  await black.reads('e4');
  await black.type('e7e5');
  await white.reads('e4', 'e5');
  await white.presses('Draw');
  await black.sees('Your opponent offers a draw');
  await black.presses('Decline');
  await white.type('g1f3');
  await black.reads('e4', 'e5', 'Nf3');
  await black.presses('Draw');
  await white.presses('Accept');
  for (const person of [white, black]) {
    await person.sees('Agreed by both players');
    person.behaves();
    await person.leave();
  }
});

test('a game that has hardly begun can be aborted', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.presses('Abort');
  await white.page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
  for (const person of [white, black]) {
    await person.sees('Game aborted');
    person.behaves();
    await person.leave();
  }
});

test('a reload comes back to the same board and clocks', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.click('e2e4', 'white');
  await black.reads('e4');
  await black.page.reload();
  await black.sits();
  await black.reads('e4');
  expect(await black.page.getByRole('timer').count()).toBe(2);
  await black.click('c7c5', 'black');
  await white.reads('e4', 'c5');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('a refused move goes back and says why', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.type('e2e5');
  await white.page.locator('.toast').first().waitFor();
  await white.reads();
  await white.type('e2e4');
  await black.reads('e4');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('a move can be typed as players write it', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.type('Nf3');
  await black.reads('Nf3');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

/** A game in which White's pawn can take on the last rank, and what was played in it. */
async function atLastRank(): Promise<[Person, Person, string[]]> {
  const [white, black] = await sitDown(browser, server.url);
  const typed = ['b2b4', 'c7c5', 'b4c5', 'b7b6', 'c5b6', 'b8c6', 'b6a7', 'c6b8'];
  const moves = ['b4', 'c5', 'bxc5', 'b6', 'cxb6', 'Nc6', 'bxa7', 'Nb8'];
  for (const [i, move] of typed.entries()) {
    await (i % 2 === 0 ? white : black).type(move);
    await Promise.all([white, black].map((person) => person.reads(...moves.slice(0, i + 1))));
  }
  return [white, black, moves];
}

test('a choice of a piece does not outlive the position it was for', async () => {
  const [white, black, moves] = await atLastRank();
  await white.click('a7b8', 'white');
  const queen = white.page.getByRole('button', { name: 'Queen' });
  await queen.waitFor();
  await black.presses('Ask to take back');
  await white.presses('Accept');
  await queen.waitFor({ state: 'hidden' });
  await black.reads(...moves.slice(0, 7));
  await black.type('e7e5');
  await white.reads(...moves.slice(0, 7), 'e5');
  expect(await queen.count()).toBe(0);
  await white.click('d2d4', 'white');
  await black.reads(...moves.slice(0, 7), 'e5', 'd4');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('a pawn that arrives becomes what its player chooses', async () => {
  const [white, black, moves] = await atLastRank();
  await white.click('a7b8', 'white');
  const queen = white.page.getByRole('button', { name: 'Queen' });
  await queen.waitFor();
  await white.page.keyboard.press('Escape');
  await queen.waitFor({ state: 'hidden' });
  await white.click('a7b8', 'white');
  await queen.waitFor();
  await white.page.keyboard.press('ArrowDown');
  await white.page.keyboard.press('Enter');
  await black.reads(...moves, 'axb8N');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('history can be looked through while the game goes on', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.type('e2e4');
  await black.reads('e4');
  await white.page.locator('body').click({ position: { x: 5, y: 300 } });
  await white.page.keyboard.press('ArrowLeft');
  await black.type('e7e5');
  await white.reads('e4', 'e5');
  expect(await white.page.locator('[aria-current="step"]').count()).toBe(0);
  await white.page.keyboard.press('ArrowDown');
  expect(await white.page.locator('[aria-current="step"]').textContent()).toBe('e5');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('an invitation can be withdrawn', async () => {
  const host = await Person.arrive(browser, server.url);
  const guest = await Person.arrive(browser, server.url);
  const link = await host.invite('10+0', 'Random');
  await guest.page.goto(new URL(link).pathname);
  await guest.sees(/invites you to a game/);
  await guest.sees('10+0');
  await host.presses('Cancel');
  await host.sees('Quick game');
  await guest.sees('This invitation was withdrawn');
  for (const person of [host, guest]) {
    person.behaves();
    await person.leave();
  }
});
