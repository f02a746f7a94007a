import {
  applyChanges,
  insertRevision,
  loadPageIndex,
  prepareRevision,
  type PageTree,
} from '@bindery/content';
import { Revision, Space, withTransaction, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { flatten } from '../../support/git/importing.ts';
import { branchOf, startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';

// Once a page had its title from the first heading of its file, and its path from the file: what was imported
// then goes on without a commit.

const files = {
  'README.md': '# Home\n',
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n\n## Guides\n\n* [Set up](start/setup.md)\n  * [Drains](notes/drain.md)\n',
  'start/setup.md': '# Setting up\n\nText.\n',
  'notes/drain.md': 'Text.\n\n# Drain\n',
};
const titlesThen: Record<string, Partial<PageTree>> = {
  'start/setup.md': { title: 'Setting up', linkTitle: 'Set up' },
  'notes/drain.md': { title: 'Drain', linkTitle: 'Drains' },
};
const pathsThen: Record<string, string> = {
  'README.md': '',
  'start/setup.md': 'start/setup',
  'notes/drain.md': 'notes/drain',
};

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterAll(() => lab.close());

/** A space in sync with a branch, as it was read then. */
async function imported(name: string) {
  const repository = await lab.gitServer.createRepository(`${name}.git`, files);
  const space = await lab.newSpace();
  expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
  const { revision, tree } = await lab.contentOf(space);
  const then = (page: PageTree): PageTree => {
    if (!('pages' in page)) return page;
    const { filePath: _, ...own } = page;
    const file = page.type === 'document' ? (page.git?.path ?? '') : '';
    const path = pathsThen[file] ?? page.path;
    return {
      ...own,
      ...titlesThen[file],
      path,
      slug: path.slice(path.lastIndexOf('/') + 1),
      pages: page.pages.map(then),
    } as PageTree;
  };
  const content = { pages: tree.map(then), files: [], reusableContents: [], variables: [], redirects: [] };
  const { organization, _id } = space;
  const built = await prepareRevision({
    organization,
    space: _id,
    parents: [],
    type: 'edits',
    createdBy: 'nobody',
    content,
  });
  const { pages, contentHash } = built.revision;
  await Revision.updateOne({ _id: revision._id }, { $set: { pages, contentHash }, $unset: { format: '' } });
  return { repository, space };
}

/** Somebody changes a page through the API. */
async function change(space: SpaceRecord, title: string, fields: object) {
  const { revision: base, tree } = (await lab.contentOf(space)) as {
    revision: RevisionRecord;
    tree: PageTree[];
  };
  const page = flatten(tree).find((one) => one.page.title === title)?.page.id ?? '';
  const { revision } = await applyChanges(base, [{ operation: 'update_page', page, ...fields }], {
    ...{ revertTo: base._id, files: new Map(), createdBy: 'nobody' },
  });
  await withTransaction(async (session) => {
    await insertRevision(revision, session);
    await Space.updateOne({ _id: space._id }, { $set: { revision: revision._id } }, { session });
  });
}

async function pagesOf(space: SpaceRecord) {
  const { tree } = await lab.contentOf(space);
  return flatten(tree).map(({ page }) => [
    page.title,
    'linkTitle' in page ? page.linkTitle : undefined,
    'path' in page ? page.path : '',
  ]);
}

const now = [
  ['Home', undefined, 'readme'],
  ['Guides', undefined, 'guides'],
  ['Set up', undefined, 'guides/setup'],
  ['Drains', undefined, 'guides/setup/drain'],
];

describe('content of an earlier version', { timeout: 60_000 }, () => {
  it('is read again by an import of the same commit, and an export then commits nothing', async () => {
    const { repository, space } = await imported('again');
    expect(await pagesOf(space)).toContainEqual(['Setting up', 'Set up', 'start/setup']);
    const job = await lab.importInto(space, repository.url);
    expect(job).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
    expect(await pagesOf(space)).toEqual(now);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({
      state: 'succeeded',
      result: { unchanged: true },
    });
    expect((await branchOf(repository)).commits).toHaveLength(1);
  });

  it('gets its new titles by an import of a new commit', async () => {
    const { repository, space } = await imported('next');
    await repository.commit({ 'start/setup.md': '# Setting up\n\nMore text.\n' });
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect(await pagesOf(space)).toEqual(now);
  });

  it('is exported without a commit', async () => {
    const { repository, space } = await imported('kept');
    expect(await lab.exportFrom(space, repository.url, { force: true })).toMatchObject({
      state: 'succeeded',
    });
    expect((await branchOf(repository)).commits).toHaveLength(1);
  });

  it('is exported with only the changes made in the space', async () => {
    const { repository, space } = await imported('edited');
    const { tree } = await lab.contentOf(space);
    const setup = flatten(tree).find(({ page }) => page.title === 'Setting up')?.page as PageTree;
    const document = await storeSource(space.organization, '# Setting up\n\nNew text.\n');
    await editContent(space, (edit) => {
      setFields(edit, setup.id, { document });
      const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
      edit.insert(
        {
          ...times,
          type: 'document',
          id: 'new',
          title: 'New',
          slug: 'new',
          path: 'new',
          document,
          pages: [],
        },
        { into: null },
      );
    });
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    const { changed } = await branchOf(repository);
    expect(changed).toEqual(['M\tSUMMARY.md', 'A\tnew.md', 'M\tstart/setup.md']);
    const summary = (await repository.git(['show', 'main:SUMMARY.md'])).toString();
    expect(summary.split('\n').filter((line) => !files['SUMMARY.md'].split('\n').includes(line))).toEqual([
      '***',
      '* [New](new.md)',
    ]);
  });

  it('gets its new titles by the import that follows an edit and its export', async () => {
    const { repository, space } = await imported('renamed');
    await change(space, 'Setting up', { title: 'Given title' });
    expect(await pagesOf(space)).toContainEqual(['Given title', 'Set up', 'guides/setup']);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect((await branchOf(repository)).changed).toEqual(['M\tSUMMARY.md', 'M\tstart/setup.md']);
    const summary = (await repository.git(['show', 'main:SUMMARY.md'])).toString();
    expect(summary).toBe(files['SUMMARY.md'].replace('[Set up]', '[Given title]'));
    expect(await lab.importInto(space, repository.url)).toMatchObject({
      state: 'succeeded',
      result: { unchanged: false },
    });
    const renamed = now.map(([title, ...more]) => [title === 'Set up' ? 'Given title' : title, ...more]);
    expect(await pagesOf(space)).toEqual(renamed);
    expect(await lab.importInto(space, repository.url)).toMatchObject({
      state: 'succeeded',
      result: { unchanged: true },
    });
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({
      state: 'succeeded',
      result: { unchanged: true },
    });
  });

  it('gets its new titles by an import that reverts an edit', async () => {
    const { repository, space } = await imported('forced');
    await change(space, 'Setting up', { icon: 'star' });
    expect(await lab.importInto(space, repository.url)).toMatchObject({ result: { unchanged: true } });
    expect(await lab.importInto(space, repository.url, { force: true })).toMatchObject({
      result: { unchanged: false },
    });
    expect(await pagesOf(space)).toEqual(now);
  });

  it('is found by its earlier file paths', async () => {
    const { repository, space } = await imported('found');
    await lab.importInto(space, repository.url);
    const { revision } = (await lab.contentOf(space)) as { revision: RevisionRecord };
    const { byPath, byFilePath } = await loadPageIndex(revision.organization, revision.pages);
    for (const path of ['start/setup', 'notes/drain'])
      expect([path, byFilePath.get(path)?.page.title]).not.toEqual([path, undefined]);
    expect(byPath.get('')?.page.title).toBe('Home');
    expect(await Space.countDocuments({ _id: space._id })).toBe(1);
  });
});
