import { ConsoleSession, JobModel } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it } from '../support/console/consoleIt.ts';
import { buildOrganization, buildSpace } from '../support/factories.ts';
import { bound } from '../support/machine.ts';

const megabyte = 1024 * 1024;
const multipart = 'multipart/form-data; boundary=x';
const own = { 'sec-fetch-site': 'same-origin' };

function part(headers: string, body = ''): string {
  return `--x\r\n${headers}\r\n\r\n${body}\r\n`;
}
const file = (name: string) => `Content-Disposition: form-data; name="file"; filename="${name}"`;

describe('a form with a file', { timeout: bound(120_000) }, () => {
  it.for([
    ['too many parts', part('Content-Disposition: form-data; name="a"').repeat(200_000), multipart],
    ['endless headers', `--x\r\n${'a: b\r\n'.repeat(1_000_000)}\r\n\r\n--x--\r\n`, multipart],
    ['no end', `--x\r\n${file('a.md')}\r\n\r\ntext`, multipart],
    ['no part', '', multipart],
    ['two boundaries', part(file('a.md')), 'multipart/form-data; boundary=y; boundary=x'],
    [
      'a boundary that a parser reads differently',
      `--a\\b--\r\n${part('Content-Disposition: form-data; name="a"').repeat(200_000).replaceAll('--x', '--ab')}`,
      'multipart/form-data; boundary="a\\b"',
    ],
    ['no boundary', part(file('a.md')), 'multipart/form-data'],
  ] as const)('with %s is refused at once', async ([, body, type], { atHome, server, organization }) => {
    const space = await buildSpace(organization);
    const answer = await fetch(`${server.origin}/spaces/${space._id}/imports/files`, {
      method: 'POST',
      headers: { ...own, 'content-type': type, cookie: `bindery_console=${atHome.cookie()}` },
      body,
    });
    expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('is not a form')]);
  });

  it('is refused as too large when it has no file', async ({ atHome, organization }) => {
    const space = await buildSpace(organization);
    const body = { a: '&'.repeat(megabyte) };
    expect((await atHome.ask(`/spaces/${space._id}/imports/files`, { form: body })).status).toBe(413);
  });

  it.for(['../../etc/passwd.md', 'a\u0000b.md', '\u202Edm.exe', 'ü"<b>\'.md', '.md', ' '])(
    'may have a file named %j',
    async (name, { atHome, organization, server }) => {
      const space = await buildSpace(organization);
      const form = new FormData();
      form.append('file', new File(['# A'], name));
      const { status, headers, text } = await atHome.ask(`/spaces/${space._id}/imports/files`, { form });
      expect([303, 400]).toContain(status);
      if (status === 400) expect(text).toContain('role="alert"');
      const { text: list } = await atHome.get(`/spaces/${space._id}/imports`);
      expect(list).not.toMatch(/<b>|\.\.\//);
      const job = headers.get('location') ?? '';
      if (status === 303) expect((await atHome.get(job)).status).toBe(200);
      expect(server.log.join('')).not.toContain('passwd');
    },
  );

  it('is not read without a session', async ({ server, organization }) => {
    const space = await buildSpace(organization);
    const form = new FormData();
    form.append('file', new File([new Uint8Array(15 * megabyte)], 'a.md'));
    const path = `/spaces/${space._id}/imports/files`;
    const { status, headers } = await server.visitor().ask(path, { form });
    expect([status, headers.get('location')]).toEqual([303, '/sign-in']);
  });

  it('starts no job when it comes from another site, or targets the space of another organization', async ({
    atHome,
    organization,
  }) => {
    const { organization: other } = await buildOrganization();
    const [mine, foreign] = [await buildSpace(organization), await buildSpace(other)];
    const form = new FormData();
    form.append('file', new File(['# A'], 'a.md'));
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await atHome.ask(`/spaces/${mine._id}/imports/files`, { form, headers })).status).toBe(403);
    const forged = new FormData();
    forged.append('file', new File(['# A'], 'a.md'));
    // A field of the name that the console itself gives to the key of an uploaded file.
    forged.append('key', 'AAAAAAAAAAAAAAAAAAAA-secret.md');
    expect((await atHome.ask(`/spaces/${foreign._id}/imports/files`, { form })).status).toBe(404);
    expect((await atHome.ask(`/spaces/${mine._id}/imports/files`, { form: forged })).status).toBe(400);
    const space = { $in: [mine._id, foreign._id] };
    expect(await JobModel.countDocuments({ 'input.spaceId': space })).toBe(0);
    expect(await ConsoleSession.countDocuments({})).toBeGreaterThan(0);
  });

  it('waits for capacity, and all concurrent uploads succeed', async ({ atHome, organization }) => {
    const space = await buildSpace(organization);
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const form = new FormData();
        form.append('file', new File([new Uint8Array(2 * megabyte)], 'a.md'));
        return atHome.ask(`/spaces/${space._id}/imports/files`, { form });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  });
});
