import { loadFiles, loadReusableContents, loadRevision } from '@bindery/content';
import type { SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outlineOf } from '../../support/git/randomEdits.ts';
import { reload, startSyncLab, type SyncLab } from '../../support/git/syncLab.ts';

// Every kind of change of a branch reaches the space, also by an export that has nothing to write.

let lab: SyncLab;
beforeAll(async () => {
  lab = await startSyncLab();
});
afterAll(() => lab.close());

const summary = '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [FAQ](faq.md)\n';
const pages = {
  'README.md': '# Home\n\nWelcome.\n',
  'guide.md': '# Guide\n\nOne.\n\nTwo.\n',
  'faq.md': '# FAQ\n\nAsk.\n',
};
const listed = { ...pages, 'SUMMARY.md': summary };
const byFolders = pages;

/** Everything that a space has, without ids and times. */
async function contentOf(space: SpaceRecord) {
  const { revision } = await reload(space);
  const record = await loadRevision(space._id, revision);
  const [files, reusableContents] = await Promise.all([loadFiles(record), loadReusableContents(record)]);
  return {
    pages: await outlineOf(record.organization, record.pages),
    files: files.map(({ name, blob }) => `${name} ${blob}`).toSorted((a, b) => (a < b ? -1 : 1)),
    reusableContents: reusableContents.map(({ title, document }) => [title, document]),
    variables: record.variables,
    redirects: record.redirects.map(({ from }) => from),
  };
}

const kinds: [name: string, before: Record<string, string>, change: Record<string, string | null>][] = [
  ['a new page without SUMMARY', byFolders, { 'new.md': '# New\n\nText.\n' }],
  [
    'a new redirect',
    { ...listed, '.gitbook.yaml': 'root: ./\n' },
    { '.gitbook.yaml': 'root: ./\nredirects:\n  old: guide.md\n' },
  ],
  ['a first redirect', listed, { '.gitbook.yaml': 'redirects:\n  old: guide.md\n' }],
  ['a new variable', listed, { '.gitbook/vars.yaml': 'name: value\n' }],
  [
    'a changed variable',
    { ...listed, '.gitbook/vars.yaml': 'name: old\n' },
    { '.gitbook/vars.yaml': 'name: value\n' },
  ],
  ['a new file', listed, { '.gitbook/assets/a.txt': 'A file.\n' }],
  [
    'a changed file',
    { ...listed, '.gitbook/assets/a.txt': 'A file.\n' },
    { '.gitbook/assets/a.txt': 'Another.\n' },
  ],
  ['a removed file', { ...listed, '.gitbook/assets/a.txt': 'A file.\n' }, { '.gitbook/assets/a.txt': null }],
  ['a new include', listed, { '.gitbook/includes/a.md': '# A\n\nInclude.\n' }],
  ['a new link', listed, { 'SUMMARY.md': `${summary}* [Site](https://example.com)\n` }],
  ['a new group', listed, { 'SUMMARY.md': summary.replace('* [FAQ]', '\n## More\n\n* [FAQ]') }],
  ['a page no more listed', listed, { 'SUMMARY.md': summary.replace('* [FAQ](faq.md)\n', '') }],
  ['another label', listed, { 'SUMMARY.md': summary.replace('[FAQ]', '[Questions]') }],
  [
    'another order',
    listed,
    {
      'SUMMARY.md': summary
        .replace('* [FAQ](faq.md)\n', '')
        .replace('* [Guide]', '* [FAQ](faq.md)\n* [Guide]'),
    },
  ],
  ['a removed page without SUMMARY', byFolders, { 'faq.md': null }],
  [
    'a first SUMMARY',
    byFolders,
    { 'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n' },
  ],
  ['new frontmatter', listed, { 'faq.md': '---\ndescription: Hi\n---\n\n# FAQ\n\nAsk.\n' }],
  ['hidden', listed, { 'faq.md': '---\nhidden: true\n---\n\n# FAQ\n\nAsk.\n' }],
];

describe('a change on the branch', () => {
  it.each(kinds)('%s reaches the space by an export', async (_name, before, change) => {
    const repository = await lab.gitServer.createRepository(lab.newName(), before);
    const space = await lab.newSpace();
    expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
    await repository.commit(change);
    expect(await lab.exportFrom(space, repository.url)).toMatchObject({ state: 'succeeded' });
    await lab.importInto(space, repository.url);
    const copy = await lab.newSpace();
    await lab.importInto(copy, repository.url);
    expect(await contentOf(space)).toEqual(await contentOf(copy));
  });
});

describe('a branch that already has all content of the space', () => {
  it('is in sync after an export, also when its links are written in another form', async () => {
    const repository = await lab.gitServer.createRepository(lab.newName(), listed);
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const home = await lab.pageNamed(space, 'Home');
    await lab.edit(space, `See [home](/pages/${home?.id}).`);
    await repository.git(['branch', 'review']);
    const standalone = { standalone: true, force: true, ref: 'refs/heads/review' };
    expect(await lab.exportFrom(space, repository.url, standalone)).toMatchObject({ state: 'succeeded' });
    await repository.git(['branch', '-f', 'main', 'review']);
    const commit = await repository.commit({ '.gitbook/assets/a.txt': 'A file.\n' });
    const job = await lab.exportFrom(space, repository.url);
    expect(job).toMatchObject({ state: 'succeeded', result: { unchanged: true, commit } });
    expect((await contentOf(space)).files).toHaveLength(1);
  });
});
