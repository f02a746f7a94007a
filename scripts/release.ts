import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Lockfile } from './lockfile.ts';
import { billOfMaterials } from './sbom.ts';

const usage = `usage: npm run release -- VERSION [--skip-tests]

Sets the version, dates the changes in CHANGELOG.md, commits and tags them, and writes into release/:
the source as an archive, the bill of materials (CycloneDX) and the checksums of both.
Nothing is pushed.`;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'inherit' });

/**
 * Moves the unreleased changes below a heading for the version.
 *
 * @param day  of the release, as `2026-11-27`
 * @throws Error when there are none, or the version has a heading already
 */
export function datedChangelog(text: string, { version, day }: { version: string; day: string }): string {
  if (text.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already.`);
  const [, before = '', changes = ''] = /^([^]*?\n## Unreleased\n)([^]*?)(?=\n## |$(?![^]))/.exec(text) ?? [];
  if (changes.trim() === '') throw new Error('CHANGELOG.md has nothing below "## Unreleased".');
  const after = text.slice(before.length + changes.length);
  return `${before}\n## ${version} - ${day}\n\n${changes.trim()}\n${after}`;
}

/** Whether `next` comes after `last`, both as `1.2.3`. */
export function isLater(next: string, last: string): boolean {
  const [a, b] = [next, last].map((version) => version.split('.').map(Number));
  const index = [0, 1, 2].find((part) => a?.[part] !== b?.[part]);
  return index !== undefined && (a?.[index] ?? 0) > (b?.[index] ?? 0);
}

/** Writes a version into the package.json of the root and of each workspace, and into the lockfile. */
function setVersion(version: string): void {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile & { version: string };
  lock.version = version;
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (folder.includes('node_modules/')) continue;
    entry.version = version;
    const file = join(folder, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    manifest.version = version;
    writeJson(file, manifest);
  }
  writeJson('package-lock.json', lock);
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Writes the archive, the bill of materials and their checksums. @returns the names of the files */
function writeFiles(version: string): string[] {
  const folder = 'release';
  mkdirSync(folder, { recursive: true });
  const name = `bindery-${version}`;
  git('archive', `--prefix=${name}/`, `--output=${join(folder, `${name}.tar.gz`)}`, `v${version}`);
  const committed = new Date(git('show', '--no-patch', '--format=%cI', `v${version}^{commit}`));
  const bom = billOfMaterials(JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile, committed);
  writeJson(join(folder, `${name}.cdx.json`), bom);
  const files = [`${name}.tar.gz`, `${name}.cdx.json`];
  const sums = files.map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
    return `${digest}  ${file}\n`;
  });
  writeFileSync(join(folder, `${name}.sha256`), sums.join(''));
  return [...files, `${name}.sha256`].map((file) => join(folder, file));
}

function release(version: string, isTested: boolean): void {
  const { version: last } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const isFirst = git('tag', '--list', 'v*') === '';
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`A version is like 1.2.3, not ${version}.`);
  if (!isLater(version, last) && !(isFirst && version === last))
    throw new Error(`${version} does not come after ${last}.`);
  if (git('status', '--porcelain') !== '')
    throw new Error('There are changes that are not committed: commit or remove them first.');
  const changelog = datedChangelog(readFileSync('CHANGELOG.md', 'utf8'), {
    version,
    day: new Date().toISOString().slice(0, 10),
  });
  if (isTested) {
    run('npm', 'run', 'check');
    run('npm', 'test');
  }
  setVersion(version);
  writeFileSync('CHANGELOG.md', changelog);
  // The document names the version.
  run(process.execPath, 'scripts/openapi.ts');
  git('commit', '--all', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Bindery ${version}`);
  for (const file of writeFiles(version)) console.log(file);
  console.log(`Push it: git push origin HEAD v${version}`);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { 'skip-tests': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [version] = positionals;
  try {
    if (version === undefined || positionals.length > 1) throw new Error(usage);
    release(version, !values['skip-tests']);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
