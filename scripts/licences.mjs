// What can be known without asking anybody: the licence of every package in Cargo.lock (by `cargo metadata`) and in
// package-lock.json, that it comes from the usual registry with a checksum, and that nothing banned is among them.
// The lists for crates are those of deny.toml, so that `cargo deny` and this file cannot disagree.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const deny = readFileSync('deny.toml', 'utf8');
const quoted = (text) => Array.from(text.matchAll(/"([^"]+)"/g), ([, word]) => word);
const CRATES = new Set(quoted(/^allow = \[(.*?)^\]/ms.exec(deny)[1]));
const EXCEPTIONS = new Map(
  Array.from(deny.matchAll(/\{ crate = "([^"]+)", allow = \[([^\]]*)\] \}/g), ([, crate, allow]) => [crate, quoted(allow)]),
);
/** Crates that may not be there at all; those with `wrappers` are scripts/borders' business. */
const BANNED = Array.from(deny.matchAll(/\{ crate = "([^"]+)" \}/g), ([, crate]) => crate);
/** For the page, whose tools are not part of what we give away. */
const PAGE = new Set([
  '0BSD', 'AGPL-3.0-or-later', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0',
  'GPL-3.0', 'GPL-3.0-or-later', 'ISC', 'MIT', 'MIT-0', 'MPL-2.0', 'OFL-1.1', 'Python-2.0',
]);
const REGISTRY = 'registry+https://github.com/rust-lang/crates.io-index';

/** Whether an SPDX expression can be satisfied by a list: every AND part has an OR part that is on it. */
function isGood(expression, good) {
  const text = (expression ?? 'none').replaceAll('/', ' OR ').replace(/[()]/g, ' ');
  return text.split(/\bAND\b/).every((part) => part.split(/\bOR\b/).some((one) => good.has(one.trim())));
}

const bad = [];
const metadata = JSON.parse(
  execFileSync('cargo', ['metadata', '--format-version=1', '--locked', '--filter-platform', 'x86_64-unknown-linux-gnu'], { maxBuffer: 1 << 28 }),
);
const needed = new Set(metadata.resolve.nodes.map(({ id }) => id));
const crates = metadata.packages.filter(({ id }) => needed.has(id));
for (const { name, version, license, source } of crates) {
  const good = new Set([...CRATES, ...(EXCEPTIONS.get(name) ?? [])]);
  if (!isGood(license, good)) bad.push(`${name} ${version}: licence ${license ?? 'unknown'}`);
  if (source !== null && source !== REGISTRY) bad.push(`${name} ${version} does not come from the usual registry`);
  if (BANNED.includes(name)) bad.push(`${name} ${version} is banned by deny.toml`);
}
for (const entry of readFileSync('Cargo.lock', 'utf8').split('[[package]]').slice(1)) {
  if (/^source = /m.test(entry) && !/^checksum = "[0-9a-f]{64}"$/m.test(entry)) bad.push(`no checksum:${entry.split('\n')[1]}`);
}
const lock = JSON.parse(readFileSync('web/package-lock.json', 'utf8'));
const packages = Object.entries(lock.packages).filter(([path]) => path);
for (const [path, { license, version, integrity }] of packages) {
  if (!isGood(license, PAGE)) bad.push(`${path} ${version}: licence ${license ?? 'unknown'}`);
  if (!integrity?.startsWith('sha512-')) bad.push(`${path} ${version} has no checksum`);
}
console.log(`licences, sources and checksums: ${crates.length} crates and ${packages.length} page packages read`);
if (bad.length > 0) {
  console.error(`not as deny.toml and the licence want it:\n${bad.join('\n')}`);
  process.exit(1);
}
