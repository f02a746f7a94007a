import { expect } from 'vitest';
import { buildSpace } from '../../support/factories.ts';
import { itWithGit as base } from '../../support/git/gitWorker.ts';
import { until } from '../../support/until.ts';

// The answers of the API about a space's git sync, with a real worker and a real git server.

const gitInfo = { provider: 'gitlab', url: 'https://gitlab.example.org/me/docs/-/blob/main' };
const files = {
  'README.md':
    '# Home\n\nSee [the guide](guide.md) and ![](.gitbook/assets/pixel.png).\n\n{% include ".gitbook/includes/note.md" %}\n',
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n',
  'guide.md': '# Guide\n\nWords.\n',
  '.gitbook/assets/pixel.png': 'no picture',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nMind the gap.\n',
};

type Options = Record<string, unknown>;
const spanOf = ({ startedAt, finishedAt: endedAt }: { startedAt: string; finishedAt: string }) => ({
  startedAt,
  endedAt,
});

const it = base
  .extend(
    'call',
    ({ api, admin }) =>
      (method: string, path: string, json?: unknown) =>
        api.call(method, path, { token: admin.token, ...(json !== undefined && { json }) }),
  )
  .extend('newRepository', { scope: 'file' }, ({ gitServer }) => {
    let made = 0;
    return (content: Record<string, string> = files) =>
      gitServer.createRepository(`info${(made += 1)}.git`, content);
  })
  .extend(
    'newSpace',
    ({ organization }) =>
      async () =>
        `/v1/spaces/${(await buildSpace(organization))._id}`,
  )
  .extend(
    'start',
    ({ call }) =>
      async (
        operation: 'import' | 'export',
        space: string,
        { query = '', ...body }: Options & { url: string; query?: string },
      ) => {
        const message = operation === 'export' && { commitMessage: 'BOOK-1: Words' };
        const { status, headers } = await call('POST', `${space}/git/${operation}${query}`, {
          ref: 'refs/heads/main',
          ...message,
          ...body,
        });
        expect(status).toBe(204);
        return headers.get('x-job-id') ?? '';
      },
  )
  /** Does it, and gives the job as the API shows it at its end. */
  .extend('run', ({ call, start }) => async (...parameters: Parameters<typeof start>) => {
    const id = await start(...parameters);
    return until('end of the job', async () => {
      const { body } = await call('GET', `/v1/jobs/${id}?wait=30`);
      return body.finishedAt && body;
    });
  })
  .extend('edit', ({ call }) => async (space: string, markdown: string) => {
    const { body: changeRequest } = await call('POST', `${space}/change-requests`, { subject: 'Words' });
    const { body: pages } = await call('GET', `${space}/content/pages`);
    const { id: page } = pages.pages.find(({ title }: { title: string }) => title === 'Guide');
    const changes = [{ operation: 'update_page', page, document: { markdown } }];
    expect(
      (await call('POST', `${space}/change-requests/${changeRequest.id}/content`, { changes })).status,
    ).toBe(200);
    expect((await call('POST', `${space}/change-requests/${changeRequest.id}/merge`, {})).status).toBe(200);
  })
  .extend(
    'infoOf',
    ({ call }) =>
      async (space: string) =>
        (await call('GET', `${space}/git/info`)).body,
  );

it('git info reports the first sync while it runs, and how it ended', async ({
  newRepository,
  gitServer,
  call,
  newSpace,
  start,
  infoOf,
}) => {
  const { url } = await newRepository();
  const space = await newSpace();
  expect((await call('GET', `${space}/git/info`)).status).toBe(404);

  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  gitServer.beforeAnswer = () => mayAnswer;
  try {
    const id = await start('import', space, { url: url.replace('://', '://me:secret@'), gitInfo });
    const running = await until('running import', async () => {
      const info = await infoOf(space);
      return info.operation && info;
    });
    const { body: job } = await call('GET', `/v1/jobs/${id}`);
    expect(running).toEqual({
      installationId: space.split('/').at(-1),
      installationProvider: 'gitlab',
      installationStatus: 'active',
      url: gitInfo.url,
      repoName: expect.stringMatching(/^info\d+$/),
      updatedAt: expect.any(String),
      operation: { state: 'running', direction: 'import', startedAt: job.startedAt },
    });
    answer();
    const { body: ended } = await call('GET', `/v1/jobs/${id}?wait=30`);
    expect((await infoOf(space)).operation).toEqual({
      state: 'success',
      direction: 'import',
      ...spanOf(ended),
    });
  } finally {
    delete gitServer.beforeAnswer;
    answer();
  }
});

it('the space and the list of spaces show the sync, without the operation', async ({
  organization,
  newRepository,
  call,
  newSpace,
  run,
  infoOf,
}) => {
  const { url } = await newRepository();
  const space = await newSpace();
  await run('import', space, { url, gitInfo });
  const { operation, ...sync } = await infoOf(space);
  expect(operation).toBeDefined();
  const { body: shown } = await call('GET', space);
  expect(shown.gitSync).toEqual(sync);
  const { body: list } = await call('GET', `/v1/orgs/${organization._id}/spaces?limit=1000`);
  expect(list.items.find(({ id }: { id: string }) => id === shown.id).gitSync).toEqual(sync);

  // One of a present provider is not what that operation removes.
  expect((await call('DELETE', `${space}/git/legacy-installation`)).status).toBe(204);
  expect((await infoOf(space)).operation).toEqual(operation);
});

it('git info reports why the first sync failed and how to fix it, and links the job', async ({
  newRepository,
  call,
  newSpace,
  run,
  infoOf,
}) => {
  const { url } = await newRepository();
  const space = await newSpace();
  const missing = await run('import', space, { url, ref: 'refs/heads/missing', gitInfo });
  expect((await infoOf(space)).operation).toEqual({
    state: 'failure',
    direction: 'import',
    ...spanOf(missing),
    error: 'Branch refs/heads/missing does not exist in the repository; check `ref`.',
  });

  const refused = await run('export', space, { url });
  const { operation } = await infoOf(space);
  expect(operation).toEqual({
    state: 'failure',
    direction: 'export',
    ...spanOf(refused),
    error: expect.stringContaining('Nothing was written.'),
    errorAction: { label: expect.stringContaining('`force`'), url: refused.urls.location },
  });
  const { body: job } = await call('GET', operation.errorAction.url);
  expect(job.error).toMatchObject({
    code: 'not_fast_forward',
    message: operation.error,
    action: operation.errorAction.label,
  });
});

it('git info ignores dry runs and previews, and reports an outdated event as a success', async ({
  newRepository,
  call,
  newSpace,
  run,
  infoOf,
}) => {
  const { url } = await newRepository();
  const space = await newSpace();
  await run('import', space, { url, gitInfo, query: '?dryRun=true' });
  await run('import', space, { url, gitInfo, standalone: true });
  expect((await call('GET', `${space}/git/info`)).status).toBe(404);

  const first = await run('import', space, { url, gitInfo, timestamp: '2026-01-02T00:00:00Z' });
  for (const more of [{ query: '?dryRun=true' }, { standalone: true }]) {
    await run('import', space, { url, ...more });
    await run('export', space, { url, ...more });
    expect((await infoOf(space)).operation).toEqual({
      state: 'success',
      direction: 'import',
      ...spanOf(first),
    });
  }
  const overtaken = await run('export', space, { url, timestamp: '2026-01-01T00:00:00Z' });
  expect(overtaken.state).toBe('superseded');
  expect((await infoOf(space)).operation).toEqual({
    state: 'success',
    direction: 'export',
    ...spanOf(overtaken),
  });
});

it('revisions carry the commit, and pages, files and reusable contents their path, on import and export', async ({
  newRepository,
  call,
  newSpace,
  run,
  edit,
}) => {
  const repository = await newRepository();
  const { url } = repository;
  const space = await newSpace();
  const source = { url, repoCommitURL: 'https://gitlab.example.org/me/docs/-/commit/' };
  const contentOf = async (path = '/content') => (await call('GET', space + path)).body;
  const placesIn = async ({
    pages,
    files: assets,
    reusableContents,
  }: Awaited<ReturnType<typeof contentOf>>) => {
    const items = [...pages, ...assets, ...reusableContents] as {
      title?: string;
      git?: { oid: string; path: string };
    }[];
    return Promise.all(
      items.map(async ({ git }) => git && [git.path, git.oid === (await repository.oid(`main:${git.path}`))]),
    );
  };
  const everyPlace = ['README.md', 'guide.md', '.gitbook/assets/pixel.png', '.gitbook/includes/note.md'].map(
    (path) => [path, true],
  );

  await run('import', space, source);
  const imported = await contentOf();
  const head = await repository.oid('main');
  const shared = { ref: 'refs/heads/main' };
  expect(imported.git).toEqual({
    ...shared,
    oid: head,
    message: 'Change the documentation',
    createdByDocs: false,
    createdByGitBook: false,
    url: `https://gitlab.example.org/me/docs/-/commit/${head}`,
  });
  expect(await placesIn(imported)).toEqual(everyPlace);
  expect((await contentOf(`/revisions/${imported.id}`)).git).toEqual(imported.git);

  await edit(space, '# Guide\n\nOther words, and [home](README.md).\n');
  const merged = await contentOf();
  expect(merged).toMatchObject({ type: 'merge', mergedFrom: { subject: 'Words' } });
  expect(merged).not.toHaveProperty('git');
  const job = await run('export', space, source);

  const exported = await contentOf();
  const commit = await repository.oid('main');
  expect(exported).toMatchObject({ id: job.result.revision, type: 'edits', parents: [merged.id] });
  expect(exported.git).toEqual({
    ...shared,
    oid: commit,
    message: 'BOOK-1: Words',
    createdByDocs: true,
    createdByGitBook: true,
    url: `https://gitlab.example.org/me/docs/-/commit/${commit}`,
  });
  expect(await placesIn(exported)).toEqual(everyPlace);
  // Whoever waits for the merge to reach git looks at it.
  expect((await contentOf(`/revisions/${merged.id}`)).git).toEqual(exported.git);
  // Nothing of the content is another because it was written.
  const { body: links } = await call('GET', `${space}/links`);
  expect(links.stats.broken.total).toBe(0);
  expect(exported.pages.map(({ updatedAt }: { updatedAt: string }) => updatedAt)).toEqual(
    merged.pages.map(({ updatedAt }: { updatedAt: string }) => updatedAt),
  );

  const bare = await contentOf(`/revisions/${exported.id}?metadata=false`);
  expect(JSON.stringify(bare)).not.toContain('"git"');
  expect(JSON.stringify(await contentOf('/content?metadata=false'))).not.toContain('"git"');
});
