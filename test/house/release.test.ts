import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Lockfile } from '../../scripts/lockfile.ts';
import { datedChangelog, isLater } from '../../scripts/release.ts';
import { billOfMaterials } from '../../scripts/sbom.ts';

const project = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as Lockfile;

/** Gives a clone the installed packages, and its own code under the names of the workspaces. */
function linkModules(clone: string): void {
  const [from, to] = [join(project, 'node_modules'), join(clone, 'node_modules')];
  mkdirSync(join(to, '@bindery'), { recursive: true });
  for (const name of readdirSync(from).filter((entry) => entry !== '@bindery'))
    symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@bindery')))
    symlinkSync(readlinkSync(join(from, '@bindery', name)), join(to, '@bindery', name));
}

describe('the bill of materials', () => {
  const { components, dependencies } = billOfMaterials(lock, new Date(0));
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));

  it('has every package that our programs import, also packages that tests use too', () => {
    const workspaces = Object.entries(lock.packages).filter(([folder]) => /^(apps|packages)\//.test(folder));
    const needed = workspaces.flatMap(([, { dependencies: own }]) => Object.keys(own ?? {}));
    expect(needed.filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['bullmq', 'puppeteer-core', 'node', 'msgpackr']));
  });

  it('has no package that only tests and scripts use', () => {
    expect(names.filter((name) => /^(vitest|typescript|oxlint|@gitbook\/api|axe-core)$/.test(name))).toEqual(
      [],
    );
  });

  it('lists each package once, with a hash unless it is ours, and has only relations between listed packages', () => {
    const refs = components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const related = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect([...new Set(related)].filter((ref) => !refs.includes(ref))).toEqual([
      `bindery@${lock.packages['']?.version}`,
    ]);
    const unhashed = components.filter(({ purl, hashes }) => purl !== undefined && !hashes);
    // The registries of some machines lack builds for other platforms, which are never installed.
    expect(unhashed.filter(({ name }) => !name.startsWith('msgpackr-extract-'))).toEqual([]);
  });
});

describe('a release', () => {
  it('dates the unreleased changes, and refuses an empty section or a version that exists', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- One.\n\n## 1.0.0 - 2026-01-02\n\n- Old.\n';
    const dated = datedChangelog(text, { version: '1.1.0', day: '2026-02-03' });
    expect(dated).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-02-03\n\n### Fixed\n\n- One.\n\n## 1.0.0 - 2026-01-02\n\n- Old.\n',
    );
    const again = { version: '1.2.0', day: '2026-02-04' };
    expect(() => datedChangelog(dated, again)).toThrow('nothing below "## Unreleased"');
    expect(() => datedChangelog(text, { ...again, version: '1.0.0' })).toThrow('has 1.0.0 already');
  });

  it('compares versions by number', () => {
    expect(isLater('0.10.0', '0.9.9')).toBe(true);
    expect(isLater('1.0.0', '1.0.0')).toBe(false);
    expect(isLater('1.0.9', '1.1.0')).toBe(false);
  });

  it('commits, tags, and writes the archive with its bill of materials and checksums', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bindery-release-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const clone = join(folder, 'bindery');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', '--depth', '1', `file://${project}`, clone]);
    linkModules(clone);
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@example.org');
    // The files as they are here, committed or not.
    for (const file of [
      '.gitignore',
      'CHANGELOG.md',
      'scripts/release.ts',
      'scripts/sbom.ts',
      'scripts/lockfile.ts',
    ])
      writeFileSync(join(clone, file), read(file));
    const release = (...args: string[]) =>
      execFileSync(process.execPath, ['scripts/release.ts', ...args, '--skip-tests'], {
        cwd: clone,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    writeFileSync(join(clone, 'left.txt'), 'x');
    expect(() => release('9.0.0')).toThrow('not committed');
    rmSync(join(clone, 'left.txt'));
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'As it is');
    expect(() => release('0.0.1')).toThrow('does not come after');

    expect(release('9.0.0')).toContain('release/bindery-9.0.0.tar.gz');
    expect(git('log', '-1', '--format=%s')).toBe('Release 9.0.0');
    expect(git('describe')).toBe('v9.0.0');
    expect(git('status', '--porcelain')).toBe('');
    for (const file of ['package.json', 'apps/api/package.json', 'docs/openapi.json'])
      expect(readFileSync(join(clone, file), 'utf8')).toContain('"version": "9.0.0"');
    execFileSync(process.execPath, ['scripts/check-lockfile.ts'], { cwd: clone });
    const sums = readFileSync(join(clone, 'release/bindery-9.0.0.sha256'), 'utf8').trim().split('\n');
    for (const [digest, file = ''] of sums.map((line) => line.split('  '))) {
      const bytes = readFileSync(join(clone, 'release', file));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest);
    }
    expect(sums).toHaveLength(2);
  });
});
