import type { PageTree } from '@bindery/content';
import { GitExportChanges } from '@bindery/contract';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { flatten, startImportLab, type ImportLab, type ImportOptions } from '../../support/git/importing.ts';
import { oplogPosition, writesSince } from '../../support/stores/oplog.ts';

let lab: ImportLab;
beforeAll(async () => {
  lab = await startImportLab();
});
afterAll(() => lab.close());

const files = {
  'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [One](one.md)\n* [Two](two.md)\n* [Three](three.md)\n',
  'README.md': '# Home\n\nSee [one](one.md).\n',
  'one.md': '# One\n\nThe first page.\n',
  'two.md': '# Two\n',
  'three.md': '# Three\n\nThe third page.\n\nIts end.\n',
  'LICENSE.txt': 'free\n',
};

async function imported(name: string) {
  const repository = await lab.gitServer.createRepository(name, files);
  const space = await lab.newSpace();
  expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
  const pages = new Map(flatten((await lab.contentOf(space)).tree).map(({ page }) => [page.title, page]));
  return { repository, space, idOf: (title: string) => pages.get(title)?.id as string };
}

/**
 * A dry run; nothing but its own record differs afterwards, and nothing in the repository.
 *
 * @param stores  collections of content, which a merge stores and nothing refers to
 */
async function dryRun(
  space: SpaceRecord,
  repository: Repository,
  { stores = [], ...options }: ImportOptions & { stores?: string[] } = {},
): Promise<JobRecord> {
  const refs = () => repository.git(['for-each-ref']);
  const [before, refsBefore] = [await oplogPosition(), await refs()];
  const job = await lab.exportFrom(space, repository.url, { ...options, dryRun: true });
  const changes = await writesSince(before);
  // A worker says every few seconds that it is there.
  expect(
    changes.filter(
      (change) =>
        !change.startsWith(`jobs ${job._id}`) &&
        !change.startsWith(`jobLogs ${job._id}:`) &&
        !change.startsWith('workers ') &&
        !stores.some((name) => change.startsWith(`${name} `)),
    ),
  ).toEqual([]);
  expect(await refs()).toEqual(refsBefore);
  return job;
}
type Repository = Awaited<ReturnType<ImportLab['gitServer']['createRepository']>>;

function changesOf(job: JobRecord): GitExportChanges {
  expect(job).toMatchObject({ state: 'succeeded', result: { dryRun: true } });
  return GitExportChanges.parse(job.result?.['changes']);
}

/** What `git diff` says of what the last commit did. */
async function nameStatus(repository: Repository): Promise<string[]> {
  const lines = await repository.git(['diff', '--name-status', '--no-renames', 'main~1', 'main']);
  return lines.toString().trim().split('\n').toSorted();
}

describe('a dry run of an export', () => {
  it('lists no changes right after an import', async () => {
    const { repository, space } = await imported('dry-export-same.git');
    const job = await dryRun(space, repository);
    expect(job.result).toMatchObject({ unchanged: true, commit: await repository.oid('main') });
    expect(changesOf(job)).toMatchObject({
      needsForce: false,
      totals: { files: { added: 0, removed: 0, changed: 0, moved: 0 } },
    });
  });

  it('lists the files that the export then writes', async () => {
    const { repository, space, idOf } = await imported('dry-export.git');
    const time = '2026-01-01T00:00:00.000Z';
    const below: PageTree = {
      ...{
        id: 'below',
        type: 'document',
        title: 'Below',
        slug: 'below',
        path: 'one/below',
        createdAt: time,
        updatedAt: time,
      },
      document: await storeSource(space.organization, '# Below\n\nNew.\n'),
      pages: [],
    };
    const third = await storeSource(space.organization, files['three.md'].replace('third', 'last'));
    await editContent(space, (edit) => {
      edit.insert(below, { into: idOf('One') });
      edit.remove(idOf('Two'));
      setFields(edit, idOf('Three'), { document: third });
    });
    const job = await dryRun(space, repository);
    expect(job.result).toMatchObject({ unchanged: false, commit: await repository.oid('main') });
    const changes = changesOf(job);
    expect(changes).toMatchObject({
      needsForce: false,
      totals: { files: { added: 1, removed: 1, changed: 3, moved: 1 } },
    });
    expect(changes.files.added).toMatchObject([
      { path: 'one/below.md', page: { id: 'below', title: 'Below' } },
    ]);
    expect(changes.files.removed).toMatchObject([
      { path: 'two.md', page: { id: idOf('Two'), title: 'Two' } },
    ]);
    expect(changes.files.moved).toMatchObject([
      { path: 'one/README.md', page: { id: idOf('One') }, previous: { path: 'one.md' } },
    ]);
    const changed = new Map(changes.files.changed.map((file) => [file.path, file]));
    expect([...changed.keys()].toSorted()).toEqual(['README.md', 'SUMMARY.md', 'three.md']);
    expect(changed.get('three.md')).toMatchObject({
      page: { id: idOf('Three') },
      blocks: [
        {
          kind: 'changed',
          before: { text: 'The third page.', firstLine: 3 },
          after: { text: 'The last page.', firstLine: 3 },
        },
      ],
    });
    expect(changed.get('README.md')).toMatchObject({
      blocks: [{ before: { text: 'See [one](one.md).' }, after: { text: 'See [one](one/README.md).' } }],
    });
    const summary = changed.get('SUMMARY.md')?.blocks ?? [];
    expect(summary.flatMap(({ before }) => before?.text ?? []).join('')).toBe(
      '* [One](one.md)\n* [Two](two.md)\n',
    );

    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    const told = [
      ...changes.files.added.map(({ path }) => `A\t${path}`),
      ...changes.files.removed.map(({ path }) => `D\t${path}`),
      ...changes.files.changed.map(({ path }) => `M\t${path}`),
      ...changes.files.moved.flatMap(({ path, previous }) => [`A\t${path}`, `D\t${previous.path}`]),
    ];
    expect(await nameStatus(repository)).toEqual(told.toSorted());
  });

  it('reports a branch that has moved, and the changes that `force` would make', async () => {
    const { repository, space, idOf } = await imported('dry-export-moved.git');
    await repository.commit({ 'three.md': '# Three\n\nFrom elsewhere.\n' });
    const third = await storeSource(space.organization, '# Three\n\nFrom here.\n');
    await editContent(space, (edit) => setFields(edit, idOf('Three'), { document: third }));
    const stores = ['documents', 'nodes', 'gitRepositories'];
    const job = await dryRun(space, repository, { stores });
    expect(job.result).toMatchObject({ merge: { totals: { conflicts: 1 } } });
    const changes = changesOf(job);
    expect(changes).toMatchObject({ needsForce: true, totals: { files: { changed: 1 } } });
    expect(changes.files.changed).toMatchObject([
      { path: 'three.md', blocks: [{ before: { text: 'From elsewhere.' }, after: { text: 'From here.' } }] },
    ]);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({
      state: 'failed',
      error: { code: 'not_fast_forward' },
    });
  });

  it('lists all files for an empty repository', async () => {
    const { space } = await imported('dry-export-source.git');
    const empty = await lab.gitServer.createRepository('dry-export-empty.git', {});
    const job = await dryRun(space, empty);
    expect(job.result).not.toHaveProperty('commit');
    const changes = changesOf(job);
    expect(changes.totals.files).toMatchObject({ removed: 0, changed: 0, moved: 0 });
    expect(changes.files.added.map(({ path }) => path).toSorted()).toEqual([
      'README.md',
      'SUMMARY.md',
      'one.md',
      'three.md',
      'two.md',
    ]);
  });
});
