import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemsOfLockfile } from '../../scripts/check-lockfile.ts';
import type { Lockfile } from '../../scripts/lockfile.ts';

const manifests = {
  '': { dependencies: { tool: '1.0.0' } },
  'packages/contract': { dependencies: { tool: '1.0.0' } },
};

/** A lockfile that is right, changed by what a test breaks. */
function buildLockfile(changes: Lockfile['packages'] = {}): Lockfile {
  return {
    lockfileVersion: 3,
    packages: {
      ...manifests,
      'node_modules/@bindery/contract': { resolved: 'packages/contract', link: true },
      'node_modules/tool': { version: '1.0.0', integrity: 'sha512-' },
      ...changes,
    },
  };
}

describe('the check of package-lock.json', () => {
  it('accepts a complete lockfile', () => {
    expect(problemsOfLockfile(buildLockfile(), manifests)).toEqual([]);
  });

  it.each([
    [
      'names a registry',
      {
        'node_modules/tool': {
          version: '1.0.0',
          integrity: 'sha512-',
          resolved: 'https://registry.invalid/tool.tgz',
        },
      },
      'names the registry',
    ],
    [
      'was made under an old Node',
      { 'node_modules/@apidevtools/swagger-parser': { version: '13.0.0', integrity: 'sha512-' } },
      'Node before 22.19',
    ],
    [
      'is older than a package.json',
      { 'packages/contract': { dependencies: { tool: '2.0.0' } } },
      'dependencies of packages/contract differ',
    ],
    ['keeps a workspace that is gone', { 'packages/gone': {} }, 'packages/gone is gone'],
    [
      'lacks a dependency',
      { 'node_modules/tool': { version: '1.0.0', integrity: 'sha512-', dependencies: { absent: '^1.0.0' } } },
      'needs absent',
    ],
    [
      'lacks a peer',
      {
        'node_modules/tool': {
          version: '1.0.0',
          integrity: 'sha512-',
          peerDependencies: { absent: '^1.0.0' },
        },
      },
      'needs absent beside it',
    ],
    [
      'lacks another platform',
      {
        'node_modules/tool': {
          version: '1.0.0',
          integrity: 'sha512-',
          optionalDependencies: { '@tool/linux-arm64': '1.0.0' },
        },
      },
      'complete-lockfile',
    ],
    ['lacks a checksum', { 'node_modules/tool': { version: '1.0.0' } }, 'has no checksum'],
  ] satisfies [string, Lockfile['packages'], string][])(
    'refuses a lockfile that %s',
    (_name, changes, problem) => {
      expect(problemsOfLockfile(buildLockfile(changes), manifests).join('\n')).toContain(problem);
    },
  );

  it('refuses another lockfile version', () => {
    expect(problemsOfLockfile({ lockfileVersion: 2, packages: {} }, manifests)).toHaveLength(1);
  });

  it('finds a package in the node_modules of a parent', () => {
    const nested = {
      'node_modules/tool/node_modules/inner': {
        version: '1.0.0',
        integrity: 'sha512-',
        dependencies: { tool: '*' },
      },
    };
    expect(problemsOfLockfile(buildLockfile(nested), manifests)).toEqual([]);
  });
});

describe('scripts/complete-lockfile.mjs', () => {
  it('adds the builds of other platforms for every version, and changes nothing the second time', () => {
    const native = (version: string) => ({
      version,
      integrity: 'sha512-',
      dev: true,
      optionalDependencies: { '@tool/darwin-arm64': version, '@tool/linux-x64': version },
    });
    const { lock, again } = complete(
      buildLockfile({
        'node_modules/tool': native('1.0.0'),
        'node_modules/other': {},
        'node_modules/other/node_modules/tool': native('2.0.0'),
      }),
    );
    expect(lock.packages['node_modules/@tool/darwin-arm64']).toEqual({
      version: '1.0.0',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    });
    expect(lock.packages['node_modules/other/node_modules/tool/node_modules/@tool/linux-x64']).toMatchObject({
      version: '2.0.0',
      cpu: ['x64'],
      os: ['linux'],
    });
    expect(problemsOfLockfile(lock, manifests).filter((problem) => problem.includes('has no entry'))).toEqual(
      [],
    );
    expect(again).toContain('0 packages');
  });
});

function complete(lockfile: Lockfile): { lock: Lockfile; again: string } {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-lockfile-'));
  try {
    const file = join(folder, 'package-lock.json');
    writeFileSync(file, JSON.stringify(lockfile));
    const run = () =>
      execFileSync(
        process.execPath,
        [resolve(import.meta.dirname, '../../scripts/complete-lockfile.mjs'), file],
        { encoding: 'utf8' },
      );
    run();
    return { lock: JSON.parse(readFileSync(file, 'utf8')) as Lockfile, again: run() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
