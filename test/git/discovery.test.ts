import { findPushTarget, findRef, GitHttp, listRemote } from '@bindery/git-remote';
import { createOutbound } from '@bindery/outbound';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lie, packet, startLyingGitServer, type LyingGitServer } from '../support/git/lyingGitServer.ts';
import { bound } from '../support/machine.ts';

const MB = 1024 * 1024;
const oid = 'ab'.repeat(20);
const other = 'cd'.repeat(20);
const flush = Buffer.from('0000');

let server: LyingGitServer;
beforeAll(async () => {
  server = await startLyingGitServer();
});
afterAll(() => server.close());

function remoteThat(lie: Lie): GitHttp {
  const outbound = createOutbound({ allow: [server.hostPort], refused: [] });
  return new GitHttp(outbound, {
    url: server.tell(lie),
    limits: { timeoutMs: 20_000, maxPackBytes: 20 * MB },
  });
}

function advertised(...lines: string[]): Lie {
  return {
    advertisement: () =>
      Buffer.concat([packet('# service=git-upload-pack\n'), flush, ...lines.map(packet), flush]),
  };
}

/** A server of version 2, with this answer to `ls-refs`. */
function listed(answer: () => Buffer, capabilities = ['ls-refs=unborn\n', 'fetch=shallow filter\n']): Lie {
  return { ...advertised('version 2\n', ...capabilities), answer };
}

const refLine = (name: string, attributes = '') => packet(`${oid} ${name}${attributes}\n`);

describe('a list of refs in version 1', () => {
  const first = `${oid} HEAD\0side-band-64k symref=HEAD:refs/heads/main\n`;

  it('may announce version 1, and belong to a shallow repository', async () => {
    const lie = advertised('version 1\n', first, `${other} refs/heads/main\n`, `shallow ${oid}\n`);
    expect(await findRef(remoteThat(lie), 'refs/heads/main')).toMatchObject({ oid: other });
  });

  it('may begin with the wanted ref, and resolve an annotated tag on any line', async () => {
    const lie = advertised(
      `${oid} refs/tags/v1\0side-band-64k\n`,
      `${other} refs/tags/v1.0\n`,
      `${other} refs/tags/v1^{}\n`,
    );
    expect(await findRef(remoteThat(lie), 'refs/tags/v1')).toMatchObject({ oid: other, tagOid: oid });
    expect((await listRemote(remoteThat(lie), 10)).tags).toEqual([
      { ref: 'refs/tags/v1', oid: other, tagOid: oid },
      { ref: 'refs/tags/v1.0', oid: other },
    ]);
  });

  it('is read quickly when tags are resolved far from their own line', async () => {
    const names = Array.from({ length: 20_000 }, (_, n) => `refs/tags/${n}`);
    const lie = advertised(
      first,
      ...names.map((name) => `${oid} ${name}\n`),
      ...names.map((name) => `${other} ${name}^{}\n`),
    );
    const startedAt = performance.now();
    const { tags, isTruncated } = await listRemote(remoteThat(lie), 1_000);
    expect([tags.length, isTruncated]).toEqual([1_000, { branches: false, tags: true }]);
    expect(performance.now() - startedAt).toBeLessThan(bound(2_000));
  });

  it.each([
    ['names an oid that is none for a tag', [first, `${'x'.repeat(40)} refs/heads/main\n`]],
    ['resolves a tag to none', [first, `${oid} refs/heads/main\n`, `${'x'.repeat(40)} refs/heads/main^{}\n`]],
    ['has capabilities twice', [first, `${oid} refs/heads/main\0side-band-64k\n`]],
    ['turns into version 2 in a capability', [`${oid} HEAD\0agent=version 2\n`]],
    ['has a symbolic ref without a target', [`${oid} HEAD\0symref=HEAD\n`]],
    ['has no name', [`${oid} \0side-band-64k\n`]],
  ])('is bad content when it %s', async (_, lines) => {
    await expect(findRef(remoteThat(advertised(...lines)), 'refs/heads/main')).rejects.toMatchObject({
      code: 'bad_content',
      class: 'invalid',
    });
  });
});

describe('a list of refs in version 2, which the server may also use unasked', () => {
  it('yields the commit of a ref, and the capabilities by their names in version 1', async () => {
    const lie = listed(() =>
      Buffer.concat([refLine('refs/heads/main-2'), refLine('refs/heads/main'), flush]),
    );
    const { oid: found, capabilities } = await findRef(remoteThat(lie), 'refs/heads/main');
    expect([found, [...capabilities]]).toEqual([
      oid,
      ['shallow', 'filter', 'side-band-64k', 'ofs-delta', 'no-progress'],
    ]);
  });

  it('is read up to the limit', async () => {
    const refs = Array.from({ length: 50 }, (_, n) => refLine(`refs/heads/${n}`));
    const { branches, isTruncated } = await listRemote(
      remoteThat(listed(() => Buffer.concat([...refs, flush]))),
      20,
    );
    expect([branches.length, isTruncated]).toEqual([20, { branches: true, tags: false }]);
  });

  it('fails with the code limit when it never ends', async () => {
    const endless = listed(() => Buffer.alloc(12 * MB, refLine('refs/heads/another')));
    await expect(findRef(remoteThat(endless), 'refs/heads/main')).rejects.toMatchObject({ code: 'limit' });
  });

  it.each<[what: string, answer: () => Buffer, expected: object]>([
    ['ends early', () => refLine('refs/heads/main'), { code: 'bad_content', class: 'transient' }],
    [
      'has bytes behind it',
      () => Buffer.concat([refLine('refs/heads/main'), flush, Buffer.from('canary')]),
      { code: 'bad_content', class: 'invalid' },
    ],
    ['is no list', () => Buffer.from('<html>canary</html>'), { code: 'bad_content', class: 'invalid' }],
    ['is a refusal', () => packet('ERR canary\n'), { code: 'http_status' }],
    [
      'has an oid that is none',
      () => Buffer.concat([packet('unborn refs/heads/main\n'), flush]),
      { code: 'bad_content', class: 'invalid' },
    ],
    [
      'resolves a tag to none',
      () => Buffer.concat([refLine('refs/heads/main', ' peeled:canary'), flush]),
      { code: 'bad_content', class: 'invalid' },
    ],
  ])('is refused without quoting it when it %s', async (_, answer, expected) => {
    const error: unknown = await findRef(remoteThat(listed(answer)), 'refs/heads/main').catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject(expected);
    const { message, stack, cause } = error as Error;
    expect(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`).not.toMatch(/canary|caller/);
  });

  it('is refused when it uses SHA-256', async () => {
    const lie = listed(() => flush, ['ls-refs\n', 'fetch\n', 'object-format=sha256\n']);
    await expect(findRef(remoteThat(lie), 'refs/heads/main')).rejects.toMatchObject({
      code: 'bad_content',
      message: expect.stringContaining('SHA-256'),
    });
  });
});

it('an advertisement for another service is not accepted for a push', async () => {
  const lie = advertised(`${oid} refs/heads/main\0side-band-64k\n`);
  await expect(findPushTarget(remoteThat(lie), 'refs/heads/main')).rejects.toMatchObject({
    code: 'bad_content',
  });
});
