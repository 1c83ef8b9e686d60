// Reads the licence of every package in Cargo.lock (by `cargo metadata`) and package-lock.json and refuses what is not
// on the list.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const GOOD = new Set([
  '0BSD', 'AGPL-3.0-or-later', 'Apache-2.0', 'Apache-2.0 WITH LLVM-exception', 'BSD-2-Clause', 'BSD-3-Clause', 'BSL-1.0',
  'BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0', 'CDLA-Permissive-2.0', 'GPL-3.0', 'GPL-3.0-only', 'GPL-3.0-or-later', 'ISC', 'MIT', 'MIT-0', 'MPL-2.0', 'OFL-1.1', 'Python-2.0',
  'Unicode-3.0', 'Unlicense', 'Zlib',
]);

/** Whether an SPDX expression can be satisfied by the list: every AND part has an OR part that is on it. */
function isGood(expression) {
  const text = expression.replaceAll('/', ' OR ').replace(/[()]/g, ' ');
  return text.split(/\bAND\b/).every((part) => part.split(/\bOR\b/).some((one) => GOOD.has(one.trim())));
}

const bad = [];
const metadata = JSON.parse(execFileSync('cargo', ['metadata', '--format-version=1', '--locked', '--filter-platform', 'x86_64-unknown-linux-gnu'], { maxBuffer: 1 << 28 }));
for (const { name, version, license, source } of metadata.packages) {
  if (source?.startsWith('git+')) bad.push(`${name} ${version} comes from git`);
  if (!license || !isGood(license)) bad.push(`${name} ${version}: ${license ?? 'no licence'}`);
}
const lock = JSON.parse(readFileSync('web/package-lock.json', 'utf8'));
const packages = Object.entries(lock.packages).filter(([path]) => path);
for (const [path, { license, version }] of packages) {
  if (!license || !isGood(license)) bad.push(`${path} ${version}: ${license ?? 'no licence'}`);
}
console.log(`licences: ${metadata.packages.length} crates and ${packages.length} page packages read`);
if (bad.length > 0) {
  console.error(`not compatible with AGPL-3.0-or-later, or unknown:\n${bad.join('\n')}`);
  process.exit(1);
}
