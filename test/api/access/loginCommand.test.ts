import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { it as base } from '../../support/it.ts';
import { runBindery } from '../../support/stores/backupCommands.ts';

/** Runs `bindery` with a configuration folder of its own. */
const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('configuration', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-login-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend('file', ({ configuration }) => join(configuration, 'bindery', 'credentials.json'))
  .extend('run', ({ configuration }) => async (args: string[], input?: string, more = {}) => {
    const environment = { XDG_CONFIG_HOME: configuration, BINDERY_API_URL: '', BINDERY_TOKEN: '', ...more };
    return runBindery(args, environment, input);
  });

const nowhere = 'http://127.0.0.1:9';

describe('bindery login', () => {
  it('stores an accepted token for the other commands', async ({ api, space, reader, run, file }) => {
    const { code, output } = await run(['login', `${api.origin}/v1/`], `${reader.token}\n`);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(api.origin) });
    expect(output).not.toContain(reader.token);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      current: api.origin,
      logins: { [api.origin]: { token: reader.token } },
    });
    expect(await run(['links', space._id])).toEqual({ code: 0, output: '' });
  });

  it('is overridden by the environment variables; a URL alone uses the token stored for this URL', async ({
    api,
    space,
    reader,
    run,
  }) => {
    await run(['login', api.origin], reader.token);
    const elsewhere = await run(['links', space._id], undefined, {
      BINDERY_API_URL: nowhere,
      BINDERY_TOKEN: 'other',
    });
    expect(elsewhere.output).toContain(`The API at ${nowhere} does not answer.`);
    expect(await run(['links', space._id], undefined, { BINDERY_API_URL: nowhere })).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no token for the API.'),
    });
    expect(await run(['links', space._id], undefined, { BINDERY_API_URL: `${api.origin}/` })).toMatchObject({
      code: 0,
    });
    const refused = await run(['links', space._id], undefined, { BINDERY_TOKEN: 'other' });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.output).not.toContain('other');
  });

  it('is not used when --data names an installation', async ({ api, space, reader, run, configuration }) => {
    await run(['login', api.origin], reader.token);
    expect(await run(['links', space._id, '--data', configuration])).toMatchObject({
      code: 1,
      output: expect.stringContaining(`No installation runs in ${configuration}.`),
    });
  });

  it('stores nothing when the API does not accept the token', async ({ api, run, file }) => {
    for (const [url, token] of [
      [api.origin, 'wrong-token'],
      [api.origin, ''],
      [api.origin, 'two words'],
      [nowhere, 'a-token'],
      ['ftp://example.org', 'a-token'],
      [api.origin.replace('//', '//me:secret@'), 'a-token'],
    ] as const) {
      const { code, output } = await run(['login', url], token);
      expect(code, url).toBe(1);
      expect(output).not.toMatch(/wrong-token|a-token|secret/);
    }
    expect(await run(['login'], 'a-token')).toMatchObject({ code: 1 });
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('refuses a credentials file that others can read, a symbolic link, and content of another form', async ({
    api,
    space,
    reader,
    run,
    file,
    configuration,
  }) => {
    await run(['login', api.origin], reader.token);
    await chmod(file, 0o640);
    const shared = await run(['links', space._id]);
    expect(shared).toMatchObject({ code: 1, output: expect.stringContaining('Others can read') });
    expect(shared.output).not.toContain(reader.token);
    const elsewhere = join(configuration, 'elsewhere');
    await mkdir(join(elsewhere, 'bindery'), { recursive: true });
    await symlink(file, join(elsewhere, 'bindery', 'credentials.json'));
    expect(await run(['links', space._id], undefined, { XDG_CONFIG_HOME: elsewhere })).toMatchObject({
      code: 1,
      output: expect.stringContaining('cannot be read'),
    });
    await chmod(file, 0o600);
    await writeFile(file, '{"logins": 1}');
    expect(await run(['links', space._id])).toMatchObject({
      code: 1,
      output: expect.stringContaining('does not have the form'),
    });
  });

  it('is undone by logout', async ({ api, reader, run, file }) => {
    await run(['login', api.origin], reader.token);
    expect(await run(['logout', nowhere])).toMatchObject({
      code: 0,
      output: expect.stringContaining('No login'),
    });
    expect(await run(['logout'])).toMatchObject({ code: 0, output: expect.stringContaining(api.origin) });
    await expect(stat(file)).rejects.toThrow('ENOENT');
    expect(await run(['logout'])).toEqual({ code: 0, output: 'No login is kept.\n' });
  });

  it('does not echo the token that is typed on a terminal', async ({ api, reader, configuration, file }) => {
    const main = join(import.meta.dirname, '../../../apps/cli/src/main.ts');
    const command = `${process.execPath} ${main} login ${api.origin}`;
    // `script` of util-linux gives the command a terminal.
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, XDG_CONFIG_HOME: configuration },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    terminal.stdout.on('data', (chunk: Buffer) => {
      if (!shown.includes('not shown') && `${shown}${chunk.toString()}`.includes('not shown'))
        terminal.stdin.write(`x\x7f${reader.token}\r`);
      shown += chunk.toString();
    });
    await once(terminal, 'close');
    expect(shown).toContain('Logged in');
    expect(shown).not.toContain(reader.token);
    expect(JSON.parse(await readFile(file, 'utf8')).logins[api.origin].token).toBe(reader.token);
  });
});
