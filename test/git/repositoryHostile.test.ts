import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { GitRepository, TreeLine } from '../support/git/gitRepository.ts';
import { type GitServer, startGitServer } from '../support/git/gitServer.ts';
import {
  createRemoteReader,
  gitLimits,
  readingProcesses,
  type RemoteReader,
} from '../support/git/readRemote.ts';
import { bound } from '../support/machine.ts';

let server: GitServer;
let reader: RemoteReader;
/** For what a reading says of trees, whatever process reads them. */
let readerHere: RemoteReader;

beforeAll(async () => {
  server = await startGitServer();
  reader = createRemoteReader({ prewarm: true });
  readerHere = createRemoteReader({ hasProcesses: false });
});

afterAll(async () => {
  await reader.close();
  await readerHere.close();
  await server.close();
});

const MB = 1024 * 1024;

describe('entries that are not regular files', () => {
  it('are skipped and listed, and their targets are not read', async () => {
    const { url } = await server.createRepository('links.git', {
      'README.md': '# Home\n',
      'page.md': { mode: '120000', content: '/etc/passwd' },
      folder: { mode: '120000', content: '..' },
      module: { mode: '160000', oid: 'ab'.repeat(20) },
      '.gitmodules': '[submodule "module"]\n\tpath = module\n\turl = http://127.0.0.1:1/x.git\n',
      'run.sh': { mode: '100755', content: 'echo hi\n' },
    });
    const { content, skipped, blobs } = await reader.readAll({ url });
    expect(skipped.map(({ path }) => path).sort()).toEqual(['folder', 'module', 'page.md']);
    expect(content.pages.map((page) => page.title)).toEqual(['Home']);
    expect([...blobs.values()].map(String)).toEqual(['# Home\n']);
  });
});

describe('trees that git itself refuses', () => {
  const evil: [name: string, lines: (blob: string, tree: string) => TreeLine[]][] = [
    ['a folder ..', (_, tree) => [{ mode: '40000', name: '..', oid: tree }]],
    ['a file ..', (blob) => [{ mode: '100644', name: '..', oid: blob }]],
    ['a file .', (blob) => [{ mode: '100644', name: '.', oid: blob }]],
    ['a folder .git', (_, tree) => [{ mode: '40000', name: '.git', oid: tree }]],
    ['a name with slashes', (blob) => [{ mode: '100644', name: '../../etc/cron.d/x', oid: blob }]],
    ['a name with a line break', (blob) => [{ mode: '100644', name: 'a\nb.md', oid: blob }]],
    [
      'one name twice',
      (blob, tree) => [
        { mode: '100644', name: 'a', oid: blob },
        { mode: '40000', name: 'a', oid: tree },
      ],
    ],
  ];

  it.each(evil)('%s is unsafe, also in a nested folder', async (name, lines) => {
    const repository = await server.createRepository(
      `evil-${evil.findIndex(([other]) => other === name)}.git`,
      {
        'README.md': '# Home\n',
      },
    );
    const blob = await repository.oid('main:README.md');
    let tree = await repository.writeTree(lines(blob, await repository.oid('main^{tree}')));
    await repository.commitTree(tree, 'refs/heads/shallow');
    for (let level = 0; level < 5; level++)
      tree = await repository.writeTree([{ mode: '40000', name: 'd', oid: tree }]);
    await repository.commitTree(tree, 'refs/heads/deep');
    for (const ref of ['refs/heads/shallow', 'refs/heads/deep']) {
      await expect(readerHere.read({ url: repository.url, ref })).rejects.toMatchObject({
        code: 'unsafe_tree',
        class: 'invalid',
      });
    }
  });

  it('unusual but valid names are kept', async () => {
    const repository = await server.createRepository('names.git', {});
    const blob = await repository.writeBlob('# Page\n');
    const names = ['README.md', '__proto__.md', 'constructor.md', 'readme.md'];
    await repository.commitTree(
      await repository.writeTree(names.map((name) => ({ mode: '100644', name, oid: blob }))),
    );
    const { content } = await reader.readAll({ url: repository.url });
    expect(content.pages.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a repository bomb is refused', () => {
  it('with ten billion files in 841 bytes', async () => {
    const repository = await server.createRepository('bomb.git', {});
    await treeBomb(repository);
    const startedAt = performance.now();
    await expect(reader.read({ url: repository.url })).rejects.toMatchObject({ code: 'limit' });
    expect(performance.now() - startedAt).toBeLessThan(bound(5_000));
  });

  it('with a deep chain of folders', async () => {
    const repository = await server.createRepository('deep.git', {});
    let tree = await repository.writeTree([
      { mode: '100644', name: 'a.md', oid: await repository.writeBlob('x') },
    ]);
    for (let level = 0; level < 70; level++)
      tree = await repository.writeTree([{ mode: '40000', name: 'd', oid: tree }]);
    await repository.commitTree(tree);
    await expect(reader.read({ url: repository.url })).rejects.toMatchObject({ code: 'limit' });
  });

  it.each([true, false])(
    'with 300 MB of zeros in a page (filter offered: %s)',
    async (allowFilter) => {
      server.options.allowFilter = allowFilter;
      const repository = await server.createRepository(`zeros-${allowFilter}.git`, {
        'README.md': Buffer.alloc(300 * MB),
      });
      let peakBytes = 0;
      const sampling = setInterval(
        () => (peakBytes = Math.max(peakBytes, ...readingProcesses().map((process) => process.peakBytes))),
        20,
      );
      await expect(reader.read({ url: repository.url })).rejects.toMatchObject({
        code: expect.stringMatching(/^(too_large|limit)$/),
      });
      clearInterval(sampling);
      server.options.allowFilter = true;
      expect(peakBytes).toBeGreaterThan(30 * MB);
      expect(peakBytes).toBeLessThan(250 * MB);
    },
    60_000,
  );

  it('with more entries than fit into the memory of the process', async () => {
    const repository = await server.createRepository('memory.git', {});
    const oid = await repository.writeBlob('# Home\n');
    const names = Array.from({ length: 40_000 }, (_, n) => `page-${String(n).padStart(5, '0')}.md`);
    await repository.commitTree(
      await repository.writeTree(names.map((name) => ({ mode: '100644', name, oid }))),
    );
    // Enough to start and to read a small repository.
    const small = createRemoteReader({ memoryMb: 16 });
    await expect(small.read({ url: repository.url })).rejects.toMatchObject({
      code: 'memory',
      class: 'resource',
    });
    await small.close();
  });

  it('with large files that no page refers to, which the server sends anyway', async () => {
    server.options.allowFilter = false;
    const limits = { ...gitLimits, maxTotalBytes: 50 * MB };
    const repository = await server.createRepository('many-zeros.git', {
      'README.md': '# Home\n',
      'a.bin': Buffer.alloc(30 * MB),
      'b.bin': Buffer.alloc(30 * MB, 1),
    });
    await expect(reader.read({ url: repository.url, limits })).rejects.toMatchObject({ code: 'limit' });
    server.options.allowFilter = true;
    expect((await reader.readAll({ url: repository.url, limits })).content.pages.length).toBe(1);
  });
});

async function treeBomb(repository: GitRepository): Promise<void> {
  let tree = await repository.writeTree([
    { mode: '100644', name: 'a.md', oid: await repository.writeBlob('x') },
  ]);
  for (let level = 0; level < 10; level++) {
    tree = await repository.writeTree(
      Array.from({ length: 10 }, (_, i) => ({ mode: '40000', name: `d${i}`, oid: tree })),
    );
  }
  await repository.commitTree(tree);
}
