import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { GitRepository } from '../support/git/gitRepository.ts';
import { type GitServer, startGitServer } from '../support/git/gitServer.ts';
import { createRemoteReader, type RemoteReader } from '../support/git/readRemote.ts';

let server: GitServer;
let reader: RemoteReader;
let repository: GitRepository & { url: string };

beforeAll(async () => {
  server = await startGitServer();
  reader = createRemoteReader({ hasProcesses: false });
  repository = await server.createRepository('tags.git', { 'README.md': '# Released\n' });
  const { git } = repository;
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  await git(['tag', 'light', 'main']);
  await git([...person, 'tag', '-a', '-m', 'First', 'v1', 'main']);
  await git([...person, 'tag', '-a', '-m', 'Twice', 'v1.0', 'v1']);
  await git(['tag', 'folder', 'main^{tree}']);
  await git(['tag', 'file', 'main:README.md']);
  await git([...person, 'tag', '-a', '-m', 'Folder', 'annotated-folder', 'main^{tree}']);
  await git([...person, 'tag', '-a', '-m', 'File', 'annotated-file', 'main:README.md']);
  await repository.commit({ 'README.md': '# Later\n' });
});

afterAll(async () => {
  await reader.close();
  await server.close();
});

describe.each([
  { allowFilter: true, isFirstVersionOnly: false },
  { allowFilter: false, isFirstVersionOnly: false },
  { allowFilter: true, isFirstVersionOnly: true },
])('a tag (filter offered: $allowFilter, first version only: $isFirstVersionOnly)', (options) => {
  beforeAll(() => void Object.assign(server.options, options));

  it.each(['light', 'v1', 'v1.0'])('%s is read as its commit', async (tag) => {
    const ref = `refs/tags/${tag}`;
    const oid = await repository.oid(`${tag}^{commit}`);
    const { commit, content } = await reader.readAll({ url: repository.url, ref });
    expect([commit.oid, content.pages[0]?.title]).toEqual([oid, 'Released']);
    expect(await reader.read({ url: repository.url, ref, known: { commit: oid } })).toEqual({
      ...{ unchanged: true, commit: { oid } },
    });
  });

  it.each([
    ['folder', 'folder'],
    ['annotated-folder', 'folder'],
    ['file', 'file'],
    ['annotated-file', 'file'],
  ])('%s is refused, because it is of a %s', async (tag, kind) => {
    await expect(reader.read({ url: repository.url, ref: `refs/tags/${tag}` })).rejects.toMatchObject({
      code: 'bad_content',
      class: 'invalid',
      message: `The tag refs/tags/${tag} is of a ${kind}, not of a commit.`,
    });
  });

  it('is not found when it does not exist, also when a branch has its name', async () => {
    await expect(reader.read({ url: repository.url, ref: 'refs/tags/main' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

it('a tag is found in a list of refs that exceeds 5 MB', async () => {
  Object.assign(server.options, { allowFilter: true, isFirstVersionOnly: false });
  const crowded = await server.createRepository('crowded-tags.git', { 'README.md': '# Many refs\n' });
  const oid = await crowded.oid('main');
  await crowded.git([
    ...['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'tag', '-a', '-m', 'First', 'v1', 'main'],
  ]);
  const lines = Array.from({ length: 90_000 }, (_, i) => `${oid} refs/pull/${10_000 + i}/head\n`);
  writeFileSync(join(crowded.path, 'packed-refs'), `# pack-refs with: sorted\n${lines.join('')}`);
  expect((await reader.readAll({ url: crowded.url, ref: 'refs/tags/v1' })).commit.oid).toBe(oid);
});
