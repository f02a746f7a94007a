import { GitImportChanges } from '@bindery/contract';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepositoryFiles } from '../../support/git/gitRepository.ts';
import { flatten, startImportLab, type ImportLab, type ImportOptions } from '../../support/git/importing.ts';
import { oplogPosition, writesSince } from '../../support/stores/oplog.ts';

let lab: ImportLab;
beforeAll(async () => {
  lab = await startImportLab();
});
afterAll(() => lab.close());

const text = (title: string) =>
  `# ${title}\n\n${Array.from({ length: 20 }, (_, i) => `Sentence ${i} of ${title}.`).join('\n\n')}\n`;

/** A repository with a bit of everything. */
const files = {
  'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [One](one.md)\n* [Two](two.md)\n* [Three](three.md)\n',
  'README.md':
    '---\ndescription: Start here\n---\n\n# Home\n\n![](.gitbook/assets/a.png)\n\n{% include ".gitbook/includes/note.md" %}\n',
  'one.md': text('One'),
  'two.md': text('Two'),
  'three.md': text('Three'),
  '.gitbook/assets/a.png': 'a picture',
  '.gitbook/assets/b.png': 'another picture',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nA note.\n',
  '.gitbook/vars.yaml': 'version: "1"\n',
  '.gitbook.yaml': 'redirects:\n  old: one.md\n',
} satisfies RepositoryFiles;

/** Makes a dry run, and expects no change of the database besides its own record and log. */
async function dryRun(space: SpaceRecord, url: string, options: ImportOptions = {}): Promise<JobRecord> {
  const before = await oplogPosition();
  const job = await lab.importInto(space, url, { ...options, dryRun: true });
  const changes = await writesSince(before);
  // A worker says every few seconds that it is there.
  expect(
    changes.filter(
      (change) =>
        !change.startsWith(`jobs ${job._id}`) &&
        !change.startsWith(`jobLogs ${job._id}:`) &&
        !change.startsWith('workers '),
    ),
  ).toEqual([]);
  return job;
}

function changesOf(job: JobRecord): GitImportChanges {
  expect(job).toMatchObject({ state: 'succeeded', result: { dryRun: true } });
  return GitImportChanges.parse(job.result?.['changes']);
}

async function imported(name: string, content: RepositoryFiles = files) {
  const repository = await lab.gitServer.createRepository(name, content);
  const space = await lab.newSpace();
  expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
  return { repository, space };
}

describe('a dry run of an import', () => {
  it('lists everything for a first import, and writes nothing', async () => {
    const repository = await lab.gitServer.createRepository('dry-first.git', files);
    const space = await lab.newSpace();
    const job = await dryRun(space, repository.url);
    expect(job.result).toMatchObject({
      revision: space.revision,
      commit: await repository.oid('main'),
      unchanged: false,
      standalone: false,
    });
    const changes = changesOf(job);
    expect(changes.totals).toMatchObject({
      pages: { added: 4, changed: 0, moved: 0 },
      files: { added: 2, removed: 0, changed: 0, moved: 0 },
      reusableContents: { added: 1, removed: 0, changed: 0, moved: 0 },
      variables: 1,
      redirects: 1,
    });
    expect(changes.pages.added).toContainEqual({
      type: 'document',
      title: 'One',
      path: 'one',
      file: 'one.md',
    });
    expect(changes.files.added).toContainEqual({
      name: 'a.png',
      path: '.gitbook/assets/a.png',
      sizeBytes: 9,
    });
    expect(changes.variables).toEqual([{ name: 'version', after: '1' }]);
    expect(changes.redirects).toEqual([{ from: 'old', after: 'one.md' }]);

    // The import that follows brings what was told.
    await lab.importInto(space, repository.url);
    const { tree } = await lab.contentOf(space);
    expect(flatten(tree).map(({ page }) => page.title)).toEqual(
      changes.pages.added.map(({ title }) => title),
    );
  });

  it('lists the changes of a commit: texts, names, places and files', async () => {
    const { repository, space } = await imported('dry-changes.git');
    const pages = new Map(
      flatten((await lab.contentOf(space)).tree).map(({ page }) => [page.title, page.id]),
    );
    await repository.commit({
      'SUMMARY.md':
        '# Contents\n\n* [Welcome](README.md "Home")\n* [Three](three.md)\n* [New](new.md)\n  * [One](guide/one.md)\n',
      'README.md':
        '---\ndescription: Begin here\n---\n\n# Welcome\n\n![](.gitbook/assets/a.png)\n\n{% include ".gitbook/includes/note.md" %}\n',
      'new.md': '# New\n',
      'one.md': null,
      'guide/one.md': text('One').replace('Sentence 3', 'Another sentence'),
      'two.md': null,
      '.gitbook/assets/a.png': 'a changed picture',
      '.gitbook/assets/b.png': null,
      '.gitbook/assets/c.png': 'another picture',
      '.gitbook/assets/d.png': 'a third picture',
      '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nAnother note.\n',
      '.gitbook/vars.yaml': 'version: "2"\nnew: true\n',
      '.gitbook.yaml': 'redirects:\n  old: three.md\n',
    });
    const { totals, ...changes } = changesOf(await dryRun(space, repository.url));
    expect(totals).toEqual({
      pages: { added: 1, removed: 1, changed: 2, moved: 1 },
      files: { added: 1, removed: 0, changed: 1, moved: 1 },
      reusableContents: { added: 0, removed: 0, changed: 1, moved: 0 },
      variables: 2,
      redirects: 1,
    });
    expect(changes.pages.added).toEqual([{ type: 'document', title: 'New', path: 'new', file: 'new.md' }]);
    expect(changes.pages.removed).toEqual([
      { id: pages.get('Two'), type: 'document', title: 'Two', path: 'two', file: 'two.md' },
    ]);
    expect(changes.pages.moved).toEqual([
      {
        ...{ id: pages.get('One'), type: 'document', title: 'One', path: 'new/one', file: 'guide/one.md' },
        ...{
          parent: { title: 'New' },
          index: 0,
          previous: { path: 'one', file: 'one.md', parent: null, index: 1 },
        },
      },
    ]);
    expect(changes.pages.changed).toMatchObject([
      {
        id: pages.get('Home'),
        fields: ['description', 'document', 'linkTitle', 'title'],
        blocks: [
          {
            kind: 'changed',
            before: { text: '---\ndescription: Start here\n---' },
            after: { text: '---\ndescription: Begin here\n---' },
          },
          {
            kind: 'changed',
            before: { text: '# Home', firstLine: 5 },
            after: { text: '# Welcome', firstLine: 5 },
          },
        ],
      },
      {
        id: pages.get('One'),
        fields: ['document'],
        blocks: [
          {
            kind: 'changed',
            before: { text: 'Sentence 3 of One.', firstLine: 9 },
            after: { text: 'Another sentence of One.' },
          },
        ],
      },
    ]);
    expect(changes.files).toMatchObject({
      added: [{ name: 'd.png' }],
      changed: [{ name: 'a.png', sizeBytes: 17, previous: { sizeBytes: 9 } }],
      moved: [{ name: 'c.png', previous: { name: 'b.png', path: '.gitbook/assets/b.png' } }],
    });
    expect(changes.reusableContents.changed).toMatchObject([
      {
        title: 'Note',
        fields: ['document'],
        blocks: [{ before: { text: 'A note.' }, after: { text: 'Another note.' } }],
      },
    ]);
    expect(changes.variables).toEqual([
      { name: 'version', before: '1', after: '2' },
      { name: 'new', after: true },
    ]);
    expect(changes.redirects).toEqual([{ from: 'old', before: 'one.md', after: 'three.md' }]);
    expect(changes.omitted).toEqual({ entries: 0, blocks: 0 });
  });

  it('lists a new order of SUMMARY.md as moves of as few pages as possible', async () => {
    const { repository, space } = await imported('dry-order.git');
    await repository.commit({
      'SUMMARY.md':
        '# Contents\n\n* [Home](README.md)\n* [Three](three.md)\n* [One](one.md)\n* [Two](two.md)\n',
    });
    const changes = changesOf(await dryRun(space, repository.url));
    expect(changes.totals.pages).toEqual({ added: 0, removed: 0, changed: 0, moved: 1 });
    expect(changes.pages.moved).toMatchObject([{ title: 'Three', index: 1, previous: { index: 3 } }]);
  });

  it('lists content of the space that the repository lacks as removed', async () => {
    const { repository, space } = await imported('dry-own.git');
    const other = await lab.gitServer.createRepository('dry-other.git', { 'README.md': '# Other\n' });
    const changes = changesOf(await dryRun(space, other.url, { force: true }));
    expect(changes.totals).toMatchObject({ files: { removed: 2 }, reusableContents: { removed: 1 } });
    expect(changes.pages.removed.map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
    expect(await lab.importInto(space, repository.url)).toMatchObject({ result: { unchanged: true } });
  });

  it('lists no changes for the commit that the space shows', async () => {
    const { repository, space } = await imported('dry-same.git');
    const job = await dryRun(space, repository.url);
    expect(job.result).toMatchObject({ unchanged: true });
    expect(changesOf(job)).toMatchObject({
      totals: { pages: { added: 0, removed: 0, changed: 0, moved: 0 } },
      pages: { added: [] },
    });
    await repository.commit({ Makefile: 'all:\n' });
    const other = await dryRun(space, repository.url);
    expect(other.result).toMatchObject({ unchanged: false });
    expect(changesOf(other).totals).toMatchObject({
      pages: { added: 0, removed: 0, changed: 0, moved: 0 },
      files: { added: 0, removed: 0 },
    });
  });

  it('is superseded by an event that was applied already, and supersedes no import itself', async () => {
    const { repository, space } = await imported('dry-time.git');
    await repository.commit({ 'one.md': '# One\n' });
    changesOf(await dryRun(space, repository.url, { timestamp: '2026-05-05T00:00:00Z' }));
    expect(await lab.importInto(space, repository.url, { timestamp: '2026-04-04T00:00:00Z' })).toMatchObject({
      state: 'succeeded',
    });
    expect(await dryRun(space, repository.url, { timestamp: '2026-04-04T00:00:00Z' })).toMatchObject({
      state: 'superseded',
    });
    expect(
      await dryRun(space, repository.url, { timestamp: '2026-03-03T00:00:00Z', force: true }),
    ).toMatchObject({ state: 'succeeded' });
  });

  it('fails with the same error as the import', async () => {
    const space = await lab.newSpace();
    const { url } = await lab.gitServer.createRepository('dry-ref.git', files);
    expect(await dryRun(space, url, { ref: 'refs/heads/other' })).toMatchObject({
      state: 'failed',
      error: { code: 'not_found' },
    });
  });

  it('fits into its job record for any amount of changes', async () => {
    const word = (index: number) => `Paragraph ${index} ${'with words '.repeat(10)}`;
    const long = (name: string) =>
      Array.from({ length: 2_000 }, (_, index) => word(index) + name).join('\n\n');
    const many = (name: string) =>
      new Map(
        Array.from({ length: 400 }, (_, index) => [
          `page-${index}.md`,
          `# ${index}\n\n${word(index)}${name}\n`,
        ]),
      );
    const hostile = {
      'title.md': `# ${'T'.repeat(300_000)}\n`,
      'line.md': `# Line\n\n${'x'.repeat(1_000_000)}\n`,
      'tags.md': '{% hint %}\n'.repeat(100_000),
    };
    const { repository, space } = await imported(
      'dry-large.git',
      new Map([...many('old'), ...Object.entries(hostile), ['long.md', long('old')]]),
    );
    await repository.commit(
      new Map([
        ...many('new'),
        ['long.md', long('new')],
        ['title.md', `# ${'U'.repeat(300_000)}\n`],
        ['line.md', `# Line\n\n${'x'.repeat(1_000_000)}y\n`],
        ['tags.md', '{% tip %}\n'.repeat(100_000)],
      ]),
    );
    const job = await dryRun(space, repository.url);
    const changes = changesOf(job);
    expect(changes.totals.pages.changed).toBe(404);
    expect(changes.omitted.entries).toBe(404 - changes.pages.changed.length);
    expect(JSON.stringify(job.result).length).toBeLessThan(1_100_000);
  });
});
