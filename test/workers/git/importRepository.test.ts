import { loadDocuments, type PageTree } from '@bindery/content';
import { ContentNode, mongoDatabase, PageDocument, Revision, Space, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectedNavigation,
  fixtureRepository,
  fixtureRepositoryWithoutSummary,
} from '../../support/fixtureRepository.ts';
import { flatten, startImportLab, type ImportLab } from '../../support/git/importing.ts';

let lab: ImportLab;
beforeAll(async () => {
  lab = await startImportLab({ hasProcesses: true });
});
afterAll(() => lab.close());

type DocumentPage = Extract<PageTree, { type: 'document' }>;

const documentsOf = (tree: PageTree[]) =>
  flatten(tree).flatMap(({ page }) => (page.type === 'document' ? [page] : []));
const byPath = (tree: PageTree[]) => new Map(documentsOf(tree).map((page) => [page.git?.path, page]));

async function counts() {
  const [documents, nodes, revisions, blobs] = await Promise.all([
    PageDocument.countDocuments(),
    ContentNode.countDocuments(),
    Revision.countDocuments(),
    mongoDatabase().collection('blobs.files').countDocuments(),
  ]);
  return { documents, nodes, revisions, blobs };
}

async function bytesOf(space: SpaceRecord, page: DocumentPage): Promise<Buffer> {
  const source = (await loadDocuments(space.organization, [page.document as string])).get(
    page.document as string,
  );
  return Buffer.concat([source?.frontmatter ?? Buffer.alloc(0), source?.body ?? Buffer.alloc(0)]);
}

describe('an import by a process of its own, as in production', () => {
  it('makes the pages that the navigation lists, with the bytes of their files', async () => {
    const repository = await lab.gitServer.createRepository('handbook.git', fixtureRepository());
    const space = await lab.newSpace();
    const job = await lab.importInto(space, repository.url);
    expect(job).toMatchObject({
      state: 'succeeded',
      result: { unchanged: false, standalone: false, commit: await repository.oid('main') },
    });

    const { revision, tree } = await lab.contentOf(space);
    const shown = flatten(tree).map(({ page, depth }) => {
      const kindOfDocument = 'git' in page && page.git ? 'page' : 'empty';
      const kind = page.type === 'document' ? kindOfDocument : page.type;
      const label =
        'linkTitle' in page && page.linkTitle !== undefined && page.type === 'document'
          ? ` [${page.linkTitle}]`
          : '';
      const file = page.type === 'document' && page.git ? ` | ${page.git.path}` : '';
      return `${'  '.repeat(depth)}${kind} ${page.title}${label}${file}`;
    });
    expect(shown).toEqual(expectedNavigation);
    for (const page of documentsOf(tree)) {
      if (page.git)
        expect(await bytesOf(space, page), page.git.path).toEqual(
          await repository.git(['cat-file', 'blob', page.git.oid]),
        );
    }
    expect(revision).toMatchObject({
      parents: [space.revision],
      type: 'edits',
      git: { oid: await repository.oid('main'), ref: 'refs/heads/main', createdByDocs: false },
    });
  });

  it('stores one document after a commit that changes one page, and leaves all others as they are', async () => {
    const repository = await lab.gitServer.createRepository('one-page.git', fixtureRepository());
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const first = await lab.contentOf(space);
    const before = await counts();
    await repository.commit({
      'docs/guides/pruning.md': '# Pruning\n\nPrune in February, after the frost.\n',
    });
    const job = await lab.importInto(space, repository.url);

    expect(job).toMatchObject({ state: 'succeeded', stats: { documentsWritten: 1, blobsWritten: 0 } });
    const second = await lab.contentOf(space);
    const after = await counts();
    expect(after.documents).toBe(before.documents + 1);
    expect(after.revisions).toBe(before.revisions + 1);
    const old = byPath(first.tree);
    for (const page of documentsOf(second.tree)) {
      const was = old.get(page.git?.path) as DocumentPage;
      if (!page.git) continue;
      expect(page).toMatchObject({ id: was.id, createdAt: was.createdAt });
      if (page.git.path !== 'docs/guides/pruning.md')
        expect(page).toMatchObject({ document: was.document, updatedAt: was.updatedAt });
    }
    const pruning = byPath(second.tree).get('docs/guides/pruning.md') as DocumentPage;
    expect(pruning.updatedAt > (old.get('docs/guides/pruning.md') as DocumentPage).updatedAt).toBe(true);
    expect(flatten(second.tree).map(({ page }) => page.id)).toEqual(
      flatten(first.tree).map(({ page }) => page.id),
    );
  });

  it('fails and changes nothing when the branch does not exist', async () => {
    const repository = await lab.gitServer.createRepository('no-branch.git', { 'README.md': '# A\n' });
    const space = await lab.newSpace();
    const job = await lab.importInto(space, repository.url, { ref: 'refs/heads/none' });
    expect(job).toMatchObject({
      state: 'failed',
      error: { code: 'not_found', message: expect.stringContaining('refs/heads/none') },
    });
    expect(await Space.findById(space._id).lean()).toMatchObject({ revision: space.revision });
  });
});

// The content of a first import does not depend on the process that reads it.
describe('a first import', () => {
  beforeAll(() => lab.readHere());

  it('infers the navigation where there is no SUMMARY.md', async () => {
    const repository = await lab.gitServer.createRepository(
      'inferred.git',
      fixtureRepositoryWithoutSummary(),
    );
    const space = await lab.newSpace();
    expect(await lab.importInto(space, repository.url, { projectDirectory: 'docs' })).toMatchObject({
      state: 'succeeded',
    });
    const { tree } = await lab.contentOf(space);
    expect(tree[0]).toMatchObject({ type: 'document', path: 'readme', git: { path: 'docs/README.md' } });
  });

  it('stores the same repository once for several spaces', async () => {
    const repository = await lab.gitServer.createRepository('twice.git', fixtureRepository());
    await lab.importInto(await lab.newSpace(), repository.url);
    const before = await counts();
    const second = await lab.importInto(await lab.newSpace(), repository.url);
    const after = await counts();
    expect(second.stats).toMatchObject({ documentsWritten: 0, blobsWritten: 0 });
    expect(after).toMatchObject({ documents: before.documents, blobs: before.blobs });
  });
});

describe('a further import', () => {
  beforeAll(() => lab.readHere());

  it('writes nothing for the same commit, also when forced', async () => {
    const repository = await lab.gitServer.createRepository('same.git', fixtureRepository());
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const before = await counts();
    const { revision } = await lab.contentOf(space);
    for (const force of [false, true]) {
      const job = await lab.importInto(space, repository.url, { force });
      expect(job).toMatchObject({ state: 'succeeded', result: { unchanged: true, revision: revision._id } });
    }
    expect(await counts()).toEqual(before);
  });

  it('writes no document, node or blob for a commit that changes nothing of the space', async () => {
    const repository = await lab.gitServer.createRepository('outside.git', fixtureRepository());
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const before = await counts();
    await repository.commit({ Makefile: 'all:\n' });
    const job = await lab.importInto(space, repository.url);
    expect(job).toMatchObject({
      state: 'succeeded',
      result: { unchanged: false },
      stats: { documentsWritten: 0, nodesWritten: 0, blobsWritten: 0 },
    });
    expect(await counts()).toEqual({ ...before, revisions: before.revisions + 1 });
  });

  it('keeps the id of a page that was renamed, and of one that was renamed and edited', async () => {
    const text = (title: string, n: number) =>
      `# ${title}\n\n${Array.from({ length: 20 }, (_, i) => `Sentence ${i} of text ${n}.`).join('\n\n')}\n`;
    const repository = await lab.gitServer.createRepository('renames.git', {
      'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [One](one.md)\n* [Two](two.md)\n',
      'README.md': '# Home\n',
      'one.md': text('One', 1),
      'two.md': text('Two', 2),
    });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const before = byPath((await lab.contentOf(space)).tree);
    await repository.commit({
      'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [One](moved/first.md)\n* [Two](moved/second.md)\n',
      'one.md': null,
      'two.md': null,
      'moved/first.md': text('One', 1),
      'moved/second.md': text('Two', 2).replace('Sentence 3 of text 2.', 'Another sentence.'),
    });
    await lab.importInto(space, repository.url);
    const after = byPath((await lab.contentOf(space)).tree);
    expect(after.get('moved/first.md')).toMatchObject({
      id: before.get('one.md')?.id,
      path: 'first',
      filePath: 'moved/first',
    });
    expect(after.get('moved/second.md')).toMatchObject({ id: before.get('two.md')?.id });
  });

  it('follows a force-pushed branch', async () => {
    const repository = await lab.gitServer.createRepository('forced.git', {
      'README.md': '# A\n',
      'b.md': '# B\n',
    });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    await repository.commit({ 'README.md': '# New start\n' }, { isForced: true });
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    expect((await lab.contentOf(space)).tree.map((page) => page.title)).toEqual(['New start']);
  });
});

describe('the order of events', () => {
  beforeAll(() => lab.readHere());

  it('allows only a newer import, unless it is forced', async () => {
    const repository = await lab.gitServer.createRepository('ordered.git', { 'README.md': '# One\n' });
    const space = await lab.newSpace();
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
    expect(await lab.importInto(space, repository.url, { timestamp: at(2) })).toMatchObject({
      state: 'succeeded',
    });
    await repository.commit({ 'README.md': '# Two\n' });
    for (const timestamp of [at(1), at(2)]) {
      expect(await lab.importInto(space, repository.url, { timestamp })).toMatchObject({
        state: 'superseded',
        error: { code: 'superseded' },
      });
    }
    expect((await lab.contentOf(space)).tree[0]?.title).toBe('One');
    expect(await lab.importInto(space, repository.url, { timestamp: at(1), force: true })).toMatchObject({
      state: 'succeeded',
    });
    expect((await lab.contentOf(space)).tree[0]?.title).toBe('Two');
    await repository.commit({ 'README.md': '# Three\n' });
    expect(await lab.importInto(space, repository.url, { timestamp: at(2) })).toMatchObject({
      state: 'superseded',
    });
    expect(await lab.importInto(space, repository.url, { timestamp: at(3) })).toMatchObject({
      state: 'succeeded',
    });
    expect((await lab.contentOf(space)).tree[0]?.title).toBe('Three');
  });
});

describe('an import of a preview or of another folder', () => {
  beforeAll(() => lab.readHere());

  it('creates a standalone revision for a preview', async () => {
    const repository = await lab.gitServer.createRepository('preview.git', { 'README.md': '# Main\n' });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    await repository.commit({ 'README.md': '# Preview\n' }, { branch: 'topic' });
    const before = await lab.contentOf(space);
    const job = await lab.importInto(space, repository.url, { ref: 'refs/heads/topic', standalone: true });
    expect(job).toMatchObject({ state: 'succeeded', result: { standalone: true } });
    expect(await Revision.findById(job.result?.['revision']).lean()).toMatchObject({
      parents: [],
      type: 'edits',
    });
    expect((await lab.contentOf(space)).revision._id).toBe(before.revision._id);
  });

  it('imports another project directory of the same commit as new content', async () => {
    const repository = await lab.gitServer.createRepository('two-projects.git', {
      'a/README.md': '# A\n',
      'b/README.md': '# B\n',
    });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url, { projectDirectory: 'a' });
    await lab.importInto(space, repository.url, { projectDirectory: 'b' });
    expect((await lab.contentOf(space)).tree[0]).toMatchObject({ title: 'B', path: 'readme' });
  });
});

describe('git information', () => {
  beforeAll(() => lab.readHere());

  it('is kept on the space and on the revision', async () => {
    const repository = await lab.gitServer.createRepository('team/docs.git', { 'README.md': '# A\n' });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url, {
      gitInfo: { provider: 'gitlab', url: 'https://git.example.org/team/docs/-/blob/main' },
      repoCommitUrl: 'https://git.example.org/team/docs/-/commit/',
    });
    const commit = await repository.oid('main');
    expect(await Space.findById(space._id).lean()).toMatchObject({
      gitSync: {
        provider: 'gitlab',
        repoName: 'team/docs',
        url: 'https://git.example.org/team/docs/-/blob/main',
      },
    });
    expect((await lab.contentOf(space)).revision.git).toMatchObject({
      oid: commit,
      url: `https://git.example.org/team/docs/-/commit/${commit}`,
    });
  });
});
