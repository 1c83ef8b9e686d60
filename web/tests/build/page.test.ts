// What `npm run build` has written, before any browser has seen it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILD = join(import.meta.dirname, '../../build');

function read(name: string): string {
  const path = join(BUILD, name);
  if (!existsSync(path)) throw new Error(`${name} is not built: run \`npm run build\` first`);
  return readFileSync(path, 'utf8');
}

function scriptsOf(page: string): string[] {
  const links = read(page).matchAll(/(?:href|src|import\()="?([^"()]+\.js)"?/g);
  return [...new Set(Array.from(links, ([, path]) => path as string))];
}

test('the first page needs at most 150 kB of script', () => {
  const scripts = scriptsOf('index.html');
  expect(scripts.length).toBeGreaterThan(3);
  const bytes = scripts.reduce((sum, script) => sum + gzipSync(read(script)).length, 0);
  expect(bytes).toBeLessThanOrEqual(150_000);
});

test('no page carries a style of its own, which the content security policy would block', () => {
  const pages = readdirSync(BUILD).filter((name) => name.endsWith('.html'));
  expect(pages).toContain('200.html');
  for (const page of pages) expect(read(page)).not.toMatch(/<style|\sstyle=/);
});

test('no page asks for anything from elsewhere', () => {
  for (const page of readdirSync(BUILD).filter((name) => name.endsWith('.html'))) {
    expect(read(page)).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  }
});

test('every file that compresses is compressed beforehand', () => {
  const files = readdirSync(BUILD, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.(html|js|css|svg)$/.test(name))) {
    expect(files, file).toContain(`${file}.br`);
    expect(files, file).toContain(`${file}.gz`);
  }
});
