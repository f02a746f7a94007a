import { loadFiles, loadReusableContents } from '@bindery/content';
import { GitRepository, type GitRepositoryRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureRepository, fixtureRepositoryWithoutSummary } from '../../support/fixtureRepository.ts';
import type { CommitChanges } from '../../support/git/gitRepository.ts';
import { flatten, startImportLab, type ImportLab } from '../../support/git/importing.ts';
import type { LoggedJob } from '../../support/processes/loggedJob.ts';

// An import that reads only what changed since the last one has to end as one that reads everything does.
// Which of both a commit takes shows in what is kept of the repository: reading everything writes it anew,
// reading pages adds a part to it.

let lab: ImportLab;
beforeAll(async () => {
  lab = await startImportLab();
});
afterAll(() => lab.close());

type Step = { name: string; changes: CommitChanges; reads: 'pages' | 'everything' };

const withSummary: Step[] = [
  {
    name: 'a text without its links',
    changes: { 'docs/guides/pruning.md': '# Pruning\n' },
    reads: 'everything',
  },
  {
    name: 'another text',
    changes: { 'docs/guides/pruning.md': '# Pruning\n\nIn spring.\n' },
    reads: 'pages',
  },
  {
    name: 'another title and other frontmatter',
    changes: {
      'docs/guides/pruning.md':
        '---\ndescription: When to cut\nicon: scissors\nhidden: true\ntags:\n  - tag: work\nlayout:\n  width: wide\n---\n\n# Cutting\n\nIn spring.\n',
      'docs/terms.md': 'No heading any more.\n',
      'docs/guides/seasons/README.md': 'The title is the label now.\n',
    },
    reads: 'pages',
  },
  {
    name: 'the frontmatter gone',
    changes: { 'docs/guides/pruning.md': '# Cutting\n\nIn spring.\n' },
    reads: 'pages',
  },
  {
    name: 'one text in two pages',
    changes: {
      'docs/guides/tools.md': '# Tool\n\nThe same.\n',
      'docs/guides/Tools.md': '# Tool\n\nThe same.\n',
    },
    reads: 'pages',
  },
  {
    name: 'a text that was there before',
    changes: { 'docs/guides/pruning.md': '# Pruning\n\nIn spring.\n' },
    reads: 'pages',
  },
  {
    name: 'pages with names of many kinds',
    changes: {
      'docs/温室/概要.md': '# 温室\n\n新 ![](<図 面.png>)\n',
      'docs/guides/tools and sheds.md': '# Sheds\n',
    },
    reads: 'pages',
  },
  { name: 'a file that no page leads to', changes: { 'docs/unlisted.txt': 'one\n' }, reads: 'everything' },
  { name: 'that file changed', changes: { 'docs/unlisted.txt': 'two\n' }, reads: 'pages' },
  {
    name: 'a file that may be executed',
    changes: { 'docs/unlisted.txt': { mode: '100755', content: 'three\n' } },
    reads: 'pages',
  },
  {
    name: 'a symbolic link',
    changes: { 'docs/link': { mode: '120000', content: 'terms.md' } },
    reads: 'everything',
  },
  {
    name: 'the link elsewhere',
    changes: { 'docs/link': { mode: '120000', content: 'whats-new.md' } },
    reads: 'pages',
  },
  { name: 'a file in place of the link', changes: { 'docs/link': 'text\n' }, reads: 'everything' },
  {
    name: 'a file that a page leads to',
    changes: { 'docs/guides/pruning.md': '# Pruning\n\n[list](../unlisted.txt)\n' },
    reads: 'everything',
  },
  { name: 'that file changed', changes: { 'docs/unlisted.txt': 'four\n' }, reads: 'everything' },
  {
    name: 'the page with its file',
    changes: { 'docs/guides/pruning.md': '# Trees\n\n[list](../unlisted.txt)\n' },
    reads: 'pages',
  },
  {
    name: 'the page without its file',
    changes: { 'docs/guides/pruning.md': '# Trees\n' },
    reads: 'everything',
  },
  {
    name: 'a cover',
    changes: { 'docs/terms.md': '---\ncover: unlisted.txt\ncoverY: 3\n---\n\n# Terms\n' },
    reads: 'everything',
  },
  {
    name: 'the cover moved',
    changes: { 'docs/terms.md': '---\ncover: unlisted.txt\ncoverY: 4\n---\n\n# Terms\n' },
    reads: 'everything',
  },
  {
    name: 'text below the cover',
    changes: { 'docs/terms.md': '---\ncover: unlisted.txt\ncoverY: 4\n---\n\n# The terms\n' },
    reads: 'pages',
  },
  {
    name: 'something wrong',
    changes: { 'docs/whats-new.md': '---\nlayout: 3\n---\n\n# News\n' },
    reads: 'everything',
  },
  {
    name: 'still wrong',
    changes: { 'docs/whats-new.md': '---\nlayout: 3\n---\n\n# More news\n' },
    reads: 'pages',
  },
  { name: 'a page that is gone', changes: { 'docs/guides/empty.md': null }, reads: 'everything' },
  {
    name: 'a page that moved',
    changes: { 'docs/guides/crlf.md': null, 'docs/guides/lines.md': '# Lines\n' },
    reads: 'everything',
  },
  {
    name: 'another navigation',
    changes: { 'docs/SUMMARY.md': '# T\n\n* [Home](README.md)\n* [Terms of use](terms.md)\n' },
    reads: 'everything',
  },
  {
    name: 'the page that the navigation names',
    changes: { 'docs/terms.md': 'Nothing.\n' },
    reads: 'everything',
  },
  { name: 'the same page again', changes: { 'docs/terms.md': 'Something.\n' }, reads: 'pages' },
  { name: 'a page that is not listed', changes: { 'docs/guides/soil.md': '# Soil\n' }, reads: 'everything' },
  { name: 'that page changed', changes: { 'docs/guides/soil.md': '# Soil of old\n' }, reads: 'pages' },
  {
    name: 'another configuration',
    changes: { '.gitbook.yaml': 'root: ./docs/\n\nredirects:\n  a: terms.md\n' },
    reads: 'everything',
  },
];

const withoutSummary: Step[] = [
  {
    name: 'another text',
    changes: { 'docs/guides/seasons/README.md': '# The seasons\n\nFour.\n' },
    reads: 'pages',
  },
  {
    name: 'a reusable content',
    changes: { 'docs/.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nRead this.\n' },
    reads: 'everything',
  },
  {
    name: 'that content changed',
    changes: { 'docs/.gitbook/includes/note.md': '---\ntitle: The note\n---\n\nRead that.\n' },
    reads: 'everything',
  },
  { name: 'variables', changes: { 'docs/.gitbook/vars.yaml': 'one: 1\n' }, reads: 'everything' },
  { name: 'other variables', changes: { 'docs/.gitbook/vars.yaml': 'one: 2\n' }, reads: 'everything' },
  { name: 'an upload', changes: { 'docs/.gitbook/assets/a.txt': 'a\n' }, reads: 'everything' },
  { name: 'another upload', changes: { 'docs/.gitbook/assets/a.txt': 'b\n' }, reads: 'everything' },
  { name: 'a navigation', changes: { 'docs/SUMMARY.md': '* [Home](README.md)\n' }, reads: 'everything' },
];

async function kept(space: SpaceRecord): Promise<GitRepositoryRecord> {
  const [record, ...others] = await GitRepository.find({ space: space._id }).lean<GitRepositoryRecord[]>();
  expect(others).toEqual([]);
  return record as GitRepositoryRecord;
}

/** Everything that a space holds, with numbers in place of ids and without times. */
async function shape(space: SpaceRecord): Promise<unknown> {
  const { revision, tree } = await lab.contentOf(space);
  const [files, reusableContents] = await Promise.all([loadFiles(revision), loadReusableContents(revision)]);
  const { variables, redirects } = revision;
  const items = [...flatten(tree).map(({ page }) => page), ...files, ...reusableContents];
  let text = JSON.stringify({ tree, files, reusableContents, variables, redirects }, (key, value: unknown) =>
    key === 'createdAt' || key === 'updatedAt' ? undefined : value,
  );
  for (const [number, { id }] of items.entries()) text = text.replaceAll(`"${id}"`, `"#${number}"`);
  return JSON.parse(text);
}

const warningsOf = ({ log }: LoggedJob) =>
  log.filter(({ level }) => level === 'warning').map(({ message, path }) => [message, path]);

async function follow(
  name: string,
  files: Map<string, Uint8Array>,
  options: { projectDirectory?: string },
  steps: Step[],
): Promise<void> {
  const repository = await lab.gitServer.createRepository(name, files);
  const space = await lab.newSpace();
  await lab.importInto(space, repository.url, options);
  for (const step of steps) {
    const before = await kept(space);
    const ids = new Map(flatten((await lab.contentOf(space)).tree).map(({ page }) => [page.id, page]));
    await repository.commit(step.changes);
    const job = await lab.importInto(space, repository.url, options);
    expect(job, step.name).toMatchObject({ state: 'succeeded', result: { unchanged: false } });
    const after = await kept(space);
    expect([step.name, after.parts.length]).toEqual([
      step.name,
      step.reads === 'pages' ? before.parts.length + 1 : 1,
    ]);
    const { revision, tree } = await lab.contentOf(space);
    expect(after.contentHash).toBe(revision.contentHash);
    expect(revision.git?.oid).toBe(await repository.oid('main'));
    if (step.reads === 'pages')
      expect(flatten(tree).every(({ page }) => ids.get(page.id)?.createdAt === page.createdAt)).toBe(true);

    const other = await lab.newSpace();
    const whole = await lab.importInto(other, repository.url, options);
    expect(await shape(space), step.name).toEqual(await shape(other));
    expect(warningsOf(job), step.name).toEqual(warningsOf(whole));
    const { pages, files: fileCount, skipped } = whole.stats ?? {};
    expect(job.stats, step.name).toMatchObject({ pages, files: fileCount, skipped });
  }
}

describe('an import after a commit', () => {
  it('has the same result as a full read, in a repository with a navigation', async () => {
    await follow('followed.git', fixtureRepository(), {}, withSummary);
  }, 240_000);

  it('has the same result as a full read, in a folder without a navigation', async () => {
    await follow(
      'followed-folder.git',
      fixtureRepositoryWithoutSummary(),
      { projectDirectory: 'docs' },
      withoutSummary,
    );
  }, 120_000);
});

describe('an import that cannot build on the last one', () => {
  const text = (n: number) => `# Page ${n}\n`;

  it('reads everything when the space shows other content', async () => {
    const repository = await lab.gitServer.createRepository('edited.git', {
      'README.md': text(1),
      'b.md': text(2),
    });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const other = await lab.gitServer.createRepository('edited-other.git', {
      'README.md': text(3),
      'b.md': text(4),
    });
    await lab.importInto(space, other.url);
    await repository.commit({ 'b.md': text(5) });
    await lab.importInto(space, repository.url);
    expect((await lab.contentOf(space)).tree.map(({ title }) => title)).toEqual(['Page 1', 'Page 5']);
  });

  it('reads everything for another project directory', async () => {
    const repository = await lab.gitServer.createRepository('other-folder.git', {
      'a/README.md': text(1),
      'b/README.md': text(2),
    });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url, { projectDirectory: 'a' });
    await repository.commit({ 'a/README.md': text(3), 'b/README.md': text(4) });
    await lab.importInto(space, repository.url, { projectDirectory: 'b' });
    expect((await lab.contentOf(space)).tree.map(({ title }) => title)).toEqual(['Page 4']);
    expect((await kept(space)).parts).toHaveLength(1);
  });

  it('reads everything when the record is of another version, or has grown often', async () => {
    const repository = await lab.gitServer.createRepository('versions.git', { 'README.md': text(1) });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const sync = async (n: number) => {
      await repository.commit({ 'README.md': text(n) });
      expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
      expect((await lab.contentOf(space)).tree.map(({ title }) => title)).toEqual([`Page ${n}`]);
      return (await kept(space)).parts.length;
    };
    expect(await sync(2)).toBe(2);
    await GitRepository.updateOne({ space: space._id }, { $set: { version: 1 } });
    expect(await sync(3)).toBe(1);
    const empty = Array.from({ length: 63 }, () => ({}));
    await GitRepository.updateOne({ space: space._id }, { $push: { parts: { $each: empty } } });
    expect(await sync(4)).toBe(1);
    expect(await sync(5)).toBe(2);
  });

  it('keeps the record of the branch when a preview of another branch is imported', async () => {
    const repository = await lab.gitServer.createRepository('previews.git', {
      'README.md': text(1),
      'b.md': text(2),
    });
    const space = await lab.newSpace();
    await lab.importInto(space, repository.url);
    const before = await kept(space);
    await repository.commit({ 'b.md': text(3), 'c.md': text(4) }, { branch: 'topic' });
    await repository.commit({ 'b.md': text(5) }, { branch: 'small' });
    for (const branch of ['topic', 'small']) {
      const preview = { ref: `refs/heads/${branch}`, standalone: true };
      expect(await lab.importInto(space, repository.url, preview)).toMatchObject({ state: 'succeeded' });
    }
    expect(await kept(space)).toEqual(before);
    await repository.commit({ 'b.md': text(6) });
    await lab.importInto(space, repository.url);
    expect((await kept(space)).parts).toHaveLength(2);
  });
});
