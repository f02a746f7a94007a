import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectFolder } from '../support/processes/launcher.ts';

describe('scripts/bootstrap.sh', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-bootstrap-'));
    await mkdir(join(folder, 'scripts'));
    await mkdir(join(folder, 'path'));
    await cp(join(projectFolder, 'scripts', 'bootstrap.sh'), join(folder, 'scripts', 'bootstrap.sh'));
    await writeFile(join(folder, 'package-lock.json'), '{}');
    await writeFile(
      join(folder, 'script.ts'),
      'const args: string[] = process.argv.slice(2);\nconsole.log(JSON.stringify({ args, parent: process.ppid, node: process.execPath }));\n',
    );
    // An npm that takes a moment, counts its runs, and puts this very Node where the package would.
    await program(
      'npm',
      `echo "$@" >> ${folder}/npm-runs; mkdir -p node_modules/.bin; sleep 0.2; ln -sf ${process.execPath} node_modules/.bin/node`,
    );
    // An older Node outside.
    await program('node', 'echo v18.20.0');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function program(name: string, source: string): Promise<void> {
    await writeFile(join(folder, 'path', name), `#!/bin/sh\n${source}\n`);
    await chmod(join(folder, 'path', name), 0o755);
  }
  const environment = (more: NodeJS.ProcessEnv = {}) => ({
    PATH: `${join(folder, 'path')}:/usr/bin:/bin`,
    ...more,
  });
  const bootstrap = async (...args: string[]) => {
    const { stdout, stderr } = await promisify(execFile)(
      'sh',
      [join(folder, 'scripts', 'bootstrap.sh'), 'script.ts', ...args],
      {
        cwd: tmpdir(),
        env: environment(),
      },
    );
    return { ...(JSON.parse(stdout) as { args: string[]; parent: number }), stderr };
  };
  const npmRuns = async () => (await readFile(join(folder, 'npm-runs'), 'utf8')).trim().split('\n');

  it('installs once with a message, and passes the arguments through', async () => {
    const first = await bootstrap('a', "b 'c", '');
    expect(first.args).toEqual(['a', "b 'c", '']);
    expect(first.stderr).toContain('bootstrap: installing the npm packages');
    expect(await npmRuns()).toEqual([
      'install --no-save --no-audit --no-fund --include=dev --loglevel=error',
    ]);
    expect((await bootstrap()).stderr).toBe('');
    expect(await npmRuns()).toHaveLength(1);
  });

  it('installs again when the lockfile changed, after a failed installation, and without node_modules/.bin', async () => {
    await bootstrap();
    await writeFile(join(folder, 'package-lock.json'), '{ }');
    await bootstrap();
    expect(await npmRuns()).toHaveLength(2);

    await writeFile(join(folder, 'package-lock.json'), '{  }');
    const npm = await readFile(join(folder, 'path', 'npm'), 'utf8');
    await program('npm', 'echo "npm error network" >&2; exit 1');
    await expect(bootstrap()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm error network\nbootstrap: npm install failed'),
    });
    await writeFile(join(folder, 'path', 'npm'), npm);
    await bootstrap();
    expect(await npmRuns()).toHaveLength(3);

    await rm(join(folder, 'node_modules', '.bin'), { recursive: true });
    await bootstrap();
    expect(await npmRuns()).toHaveLength(4);
  });

  it('reinstalls from scratch only after an installation that was killed', async () => {
    await program(
      'npm',
      `echo "$@" >> ${folder}/npm-runs; mkdir -p node_modules/.bin; ln -sf ${process.execPath} node_modules/.bin/node; echo {} > node_modules/.package-lock.json`,
    );
    await bootstrap();
    await mkdir(join(folder, 'node_modules', 'kept'));
    await writeFile(join(folder, 'package-lock.json'), '{ }');
    await bootstrap();
    expect(await readdir(join(folder, 'node_modules'))).toContain('kept');

    const npm = await readFile(join(folder, 'path', 'npm'), 'utf8');
    await program('npm', 'kill -9 $PPID $$');
    await writeFile(join(folder, 'package-lock.json'), '{  }');
    await expect(bootstrap()).rejects.toMatchObject({ signal: 'SIGKILL' });
    await writeFile(join(folder, 'path', 'npm'), npm);
    await bootstrap();
    expect(await readdir(join(folder, 'node_modules'))).not.toContain('kept');
  });

  it('installs once when several start at the same time, also past a stale lock', async () => {
    await mkdir(join(folder, '.bindery'));
    await symlink(String(2 ** 22 + 1), join(folder, '.bindery', 'install.lock'));
    await Promise.all([bootstrap(), bootstrap(), bootstrap()]);
    expect(await npmRuns()).toHaveLength(1);
    expect((await readdir(join(folder, '.bindery'))).filter((name) => name.startsWith('install'))).toEqual(
      [],
    );
  });

  it('replaces itself with the script, so that signals reach the script', async () => {
    await writeFile(
      join(folder, 'script.ts'),
      'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid);',
    );
    const child = spawn('sh', [join(folder, 'scripts', 'bootstrap.sh'), 'script.ts'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    expect(Number(chunk.toString())).toBe(child.pid);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it('installs nothing with BINDERY_NO_INSTALL or without npm, and names the reason', async () => {
    const run = (env: NodeJS.ProcessEnv) =>
      promisify(execFile)('/bin/sh', [join(folder, 'scripts', 'bootstrap.sh'), 'script.ts'], { env });
    await expect(run(environment({ BINDERY_NO_INSTALL: '1' }))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('BINDERY_NO_INSTALL is set'),
    });
    await rm(join(folder, 'path', 'npm'));
    for (const tool of ['dirname', 'sha256sum', 'cat', 'mkdir', 'ln', 'rm'])
      await symlink(join('/usr/bin', tool), join(folder, 'path', tool));
    await expect(run({ PATH: join(folder, 'path') })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm is not on PATH'),
    });
    expect(await readdir(join(folder, '.bindery'))).toEqual([]);
  });

  it('reports that npm installed no Node that can run TypeScript', async () => {
    await program('npm', 'mkdir -p node_modules');
    await expect(bootstrap()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no Node.js 24'),
    });
  });
});
