import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import {
  expectNothingLeft,
  outerEnvironment,
  projectFolder,
  useLaunchers,
  type Launched,
} from '../support/processes/launcher.ts';

type Job = { state: string; stats: { pages: number }; error?: unknown };
type Page = { title: string; pages?: Page[] };

async function itemsOf(response: Response): Promise<[{ id: string }, ...{ id: string }[]]> {
  return ((await response.json()) as { items: [{ id: string }] }).items;
}

describe('npm start', { timeout: 180_000 }, () => {
  const { folder, launch } = useLaunchers();
  const start = (...args: string[]) =>
    launch(['npm', 'start', '--', '--data', folder(), '--port', '0', ...args]);

  /** The commands of the announcement; those who read it paste them one after the other. */
  async function printedCommands(one: Launched): Promise<string[]> {
    await vi.waitFor(() => expect(one.output()).toContain('To try it, paste these'), { timeout: 60_000 });
    return one
      .output()
      .split('\n')
      .filter((line) => /^(curl|git|SPACE=)/.test(line));
  }
  const paste = async (...commands: string[]) =>
    (await promisify(execFile)('sh', ['-c', commands.join('\n')], { cwd: '/', env: outerEnvironment() }))
      .stdout;

  it('runs everything, imports the demo repository with the printed commands, and stops on Ctrl-C', async () => {
    const one = start();
    const running = await one.ready();
    expect(Object.keys(running.pids)).toEqual(
      expect.arrayContaining(['launcher', 'mongod', 'redis', 'api', 'worker-git', 'worker-maintenance']),
    );
    const [importDemo = '', wait = '', read = '', readSite = '', merge = '', ...more] =
      await printedCommands(one);
    const [exportDemo = '', waitAgain = '', clone = '', compare = '', ...last] = more;
    const [translation = '', texts = '', searchDocs = '', importPublic = ''] = last;

    expect(await paste(importDemo)).toMatch(/^HTTP\/1\.1 204 [\s\S]*X-Job-Id: /i);
    const job = JSON.parse(await paste(wait)) as Job;
    expect(job.state, JSON.stringify(job.error)).toBe('succeeded');
    expect(job.stats.pages).toBeGreaterThan(10);
    const { pages } = JSON.parse(await paste(read)) as { pages: Page[] };
    expect(pages.map(({ title }) => title)).toEqual([
      'Bindery',
      'Getting started',
      'Concepts',
      'The API',
      'Run it',
      "Writer's notes",
      'The CommonMark specification',
    ]);
    const published = JSON.parse(await paste(readSite)) as {
      site: { published: boolean };
      structure: { structure: { title: string }[] };
    };
    expect([published.site.published, published.structure.structure.map(({ title }) => title)]).toEqual([
      true,
      ['Bindery guide'],
    ]);
    // As one paste: each waits for what it needs.
    const answers = await paste(`cd ${folder()}`, merge, exportDemo, waitAgain, clone);
    expect(answers).toMatch(
      /"result":"merge"[\s\S]*"state":"succeeded"[\s\S]*Bindery-Job: [\s\S]* 2 files changed/,
    );
    // The second version may still be processed.
    await vi.waitFor(
      async () => expect(await paste(compare)).toMatch(/^# Library: 1\.0 to 2\.0[^]*POST \/loans/),
      { timeout: 60_000 },
    );
    await vi.waitFor(
      async () => expect(JSON.parse(await paste(translation))).toMatchObject({ status: 'completed' }),
      { timeout: 60_000 },
    );
    expect(await paste(texts)).toMatch(/"state":"machine"/);
    await vi.waitFor(async () => expect(await paste(searchDocs)).toContain('"title":"Back up and restore"'), {
      timeout: 60_000,
    });
    expect(importPublic).toContain('https://github.com/');

    // Ctrl-C reaches npm and the launcher, and npm passes it on once more.
    process.kill(-(one.child.pid ?? 0), 'SIGINT');
    await one.ended();
    await expectNothingLeft(one);
    expect(one.output()).not.toContain('stopping at once');
  });

  it('creates no demo beside existing content, such as that of a restored backup', async () => {
    const first = start('--no-demo', '--only', 'api');
    const { apiUrl, token } = await first.ready();
    const [makeSpace = ''] = await printedCommands(first);
    await paste(makeSpace);
    const spacesAt = async (url: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const [{ id }] = await itemsOf(await fetch(`${url}/v1/orgs`, { headers }));
      return (await itemsOf(await fetch(`${url}/v1/orgs/${id}/spaces`, { headers }))).length;
    };
    expect(await spacesAt(apiUrl)).toBe(1);
    process.kill(-(first.child.pid ?? 0), 'SIGINT');
    await first.ended();

    const second = start('--only', 'api');
    const again = await second.ready();
    expect((await printedCommands(second))[0]).toContain('"My first space"');
    expect(await spacesAt(again.apiUrl)).toBe(1);
    process.kill(-(second.child.pid ?? 0), 'SIGINT');
    await second.ended();
  });

  it('without the demo prints commands that create a space, and issues tokens that work until they are revoked', async () => {
    const one = start('--no-demo', '--ephemeral');
    const { apiUrl } = await one.ready();
    const [makeSpace = '', importPublic = '', watch = '', read = ''] = await printedCommands(one);
    const answers = await paste(makeSpace, importPublic, watch, read);
    expect(answers).toContain('HTTP/1.1 204 ');
    expect(answers).toContain('"kind":"git-import"');
    expect(answers).toContain('"title":"My first space"');

    const bindery = async (...args: string[]) =>
      (
        await promisify(execFile)(`${projectFolder}/apps/cli/bin/bindery`, [...args, '--data', folder()], {
          env: outerEnvironment(),
        })
      ).stdout;
    const statusWith = async (token: string) =>
      (await fetch(`${apiUrl}/v1/orgs`, { headers: { authorization: `Bearer ${token}` } })).status;

    const token = (
      await bindery('token', 'create', '--label', 'for a test', '--expires-in-days', '1')
    ).trim();
    expect(await statusWith(token)).toBe(200);
    const row =
      (await bindery('token', 'list')).split('\n').find((line) => line.includes('for a test')) ?? '';
    expect(row).toContain('works');
    expect(await bindery('token', 'list')).not.toContain(token);
    expect(await bindery('token', 'revoke', row.split(' ')[0] ?? '')).toContain('does not work any more');
    expect(await statusWith(token)).toBe(401);
    // A token for a script that only reads.
    const reading = (await bindery('token', 'create', '--label', 'reads', '--scopes', 'read')).trim();
    const creating = await fetch(`${apiUrl}/v1/orgs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reading}`, 'content-type': 'application/json' },
      body: '{"title":"New"}',
    });
    expect([await statusWith(reading), creating.status]).toEqual([200, 403]);
    expect(await bindery('token', 'list')).toMatch(/reads .* works +read$/m);
    for (const wrong of [
      ['--scopes', 'read,everything'],
      ['--organizations', 'nowhere'],
      ['--spaces', 'nowhere'],
    ])
      await expect(bindery('token', 'create', ...wrong)).rejects.toThrow(wrong[1]);
    expect(await bindery('migrate')).toContain('is up to date');
    const findings = await bindery('doctor');
    expect(findings).toMatch(/^ok {3}MongoDB/m);
    expect(findings).toMatch(/^ok {3}Isolation +Child processes run as .*\.$/m);
    one.child.kill('SIGTERM');
    await one.ended();
    await expectNothingLeft(one);
  });
});
