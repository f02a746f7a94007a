import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { type OtherGitServer, otherGitServers } from '../support/git/otherGitServers.ts';
import { listWithIsomorphicGit } from '../support/git/readWithIsomorphicGit.ts';
import { blobOid, createRemoteWriter, inStepWith, remove, text } from '../support/git/writeRemote.ts';

const kinds = await otherGitServers();
const login = { username: 'x-access-token', password: 'canary-Zq8' };
const writer = createRemoteWriter();
const folder = mkdtempSync(join(tmpdir(), 'bindery-push-others-'));
let server: OtherGitServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

afterAll(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const { name, missing, start } of kinds) {
  describe.skipIf(missing !== undefined)(name, () => {
    it('accepts a first commit, a change, and a large file', async () => {
      server = await start();
      const repository = await server.createRepository('new.git', {});
      const url = repository.url;
      const first = await writer.write({
        url,
        changes: [text('README.md', '# Home\n'), text('a/b/c.md', 'deep\n')],
      });
      const commit = await repository.oid('main');
      expect(first.outcome).toMatchObject({ kind: 'pushed', commit });
      const large = randomBytes(3 * 1024 * 1024);
      const spool = join(folder, 'spool');
      writeFileSync(spool, large);
      const second = await writer.write({
        url,
        ...inStepWith(commit),
        changes: [
          text('README.md', '# Changed\n'),
          remove('a/b/c.md'),
          { kind: 'file', path: 'large.bin', oid: blobOid(large), blob: 'hash' },
        ],
        files: async () => ({
          spool,
          files: new Map([['hash', { oid: blobOid(large), offset: 0, length: large.length }]]),
        }),
      });
      expect(second.outcome).toMatchObject({ kind: 'pushed', commit: await repository.oid('main') });
      expect((await repository.git(['ls-tree', '-r', '--name-only', 'main'])).toString()).toBe(
        'README.md\nlarge.bin\n',
      );
      expect((await repository.git(['fsck', '--strict', '--no-dangling'])).toString()).toBe('');
      const lines = (await repository.git(['ls-tree', '-r', '-t', 'main'])).toString().trim().split('\n');
      expect((await listWithIsomorphicGit(repository.path)).toSorted()).toEqual(lines.toSorted());
    }, 60_000);

    it('keeps a commit that somebody else pushes meanwhile', async () => {
      server = await start();
      const repository = await server.createRepository('moved.git', { 'README.md': '# Home\n' });
      let theirs = '';
      let noted = '';
      const head = await repository.oid('main');
      const writing = { url: repository.url, ...inStepWith(head), changes: [text('README.md', '# Ours\n')] };
      const ready = async ({ commit }: { commit: string }) => {
        noted = commit;
        theirs = await repository.commit({ 'theirs.md': 'theirs\n' });
      };
      const error: unknown = await writer.write({ ...writing, ready }).catch((reason: unknown) => reason);
      // Some servers say so at once; of others it is found out by the next try.
      if ((error as { code: string }).code !== 'not_fast_forward')
        expect(error).toMatchObject({ class: 'transient' });
      const again = writer.write({ ...writing, earlier: { commit: noted, parent: head } });
      await expect(again).rejects.toMatchObject({ code: 'not_fast_forward' });
      expect(await repository.oid('main')).toBe(theirs);
    }, 60_000);

    it('asks for the login, refuses a wrong one and accepts the right one', async () => {
      server = await start(login);
      const repository = await server.createRepository('private.git', { 'README.md': '# Home\n' });
      const head = await repository.oid('main');
      const writing = {
        url: repository.url,
        ...inStepWith(head),
        changes: [text('README.md', '# Signed\n')],
      };
      await expect(writer.write(writing)).rejects.toMatchObject({ code: 'auth' });
      await expect(writer.write({ ...writing, username: 'me', password: 'wrong' })).rejects.toMatchObject({
        code: 'auth',
      });
      expect(await repository.oid('main')).toBe(head);
      expect((await writer.write({ ...writing, ...login })).outcome.kind).toBe('pushed');
    }, 60_000);
  });
}
