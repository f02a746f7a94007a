import { createHash } from 'node:crypto';
import { GitExportChanges } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { memoryRepository } from '../../../../test/support/memoryRepository.ts';
import type { ExportedContent, ExportPlan, FileChange } from '../export/types.ts';
import type { PageTree } from '../store/items.ts';
import { describeExport } from './describeExport.ts';

const oidOf = (bytes: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(bytes)}\0${bytes}`)
    .digest('hex');

function page(id: string, file: string): PageTree {
  const time = '2026-01-01T00:00:00.000Z';
  const git = { oid: 'oid', path: file };
  return {
    id,
    type: 'document',
    title: id,
    slug: id,
    path: id,
    git,
    document: 'hash',
    createdAt: time,
    updatedAt: time,
    pages: [],
  };
}
const picture = (id: string, path: string) => ({
  ...{ id, name: `${id}.png`, contentType: 'image/png', sizeBytes: 7, blob: `blob of ${id}` },
  git: { oid: 'oid', path },
});
const contentOf = (pages: PageTree[], files: ReturnType<typeof picture>[] = []): ExportedContent => ({
  ...{ pages, files, reusableContents: [], variables: [], redirects: [] },
});
const text = (path: string, bytes: string): FileChange => ({
  kind: 'text',
  path,
  oid: oidOf(bytes),
  bytes: Buffer.from(bytes),
});
const places = (all: Record<string, string>) =>
  new Map(Object.entries(all).map(([id, path]) => [id, { oid: 'oid', path }]));

async function changes(
  files: Record<string, string>,
  plan: Partial<ExportPlan>,
  content: { content: ExportedContent; synced?: ExportedContent },
): Promise<GitExportChanges> {
  const repository = memoryRepository(files);
  const nothing = {
    changes: [],
    pages: new Map(),
    files: new Map(),
    reusableContents: new Map(),
    rewritten: new Map(),
    warnings: [],
  };
  const found = await describeExport(
    { ...nothing, ...plan },
    { ...content, target: { ...repository, occupied: [], projectDirectory: '' }, needsForce: false },
  );
  expect(GitExportChanges.parse(found)).toEqual(found);
  return found;
}

describe('the changes of a repository', () => {
  it('include new, removed, changed and moved files, each with its page, file or reusable content', async () => {
    const found = await changes(
      {
        ...{
          'SUMMARY.md': '# Contents\n\n* [a](a.md)\n* [gone](gone.md)\n',
          'a.md': '# a\n\nOld.\n',
          'gone.md': '# gone\n',
        },
        ...{ 'x.md': '# x\n\nSee [a](a.md).\n', '.gitbook/assets/p.png': 'picture', 'note.txt': 'kept' },
      },
      {
        changes: [
          text('SUMMARY.md', '# Contents\n\n* [a](a.md)\n* [x](x/README.md)\n'),
          text('a.md', '# a\n\nNew.\n'),
          text('new.md', '# new\n'),
          text('x/README.md', '# x\n\nSee [a](../a.md).\n'),
          { kind: 'remove', path: 'gone.md' },
          { kind: 'remove', path: 'x.md' },
          { kind: 'copy', path: '.gitbook/assets/q.png', oid: oidOf('picture') },
          { kind: 'remove', path: '.gitbook/assets/p.png' },
          { kind: 'file', path: '.gitbook/assets/r.png', oid: 'oid', blob: 'blob of r' },
        ],
        pages: places({ a: 'a.md', new: 'new.md', x: 'x/README.md' }),
        files: places({ p: '.gitbook/assets/q.png', r: '.gitbook/assets/r.png' }),
      },
      {
        content: contentOf(
          [page('a', 'a.md'), page('new', 'ignored.md'), page('x', 'x.md')],
          [picture('p', '.gitbook/assets/p.png'), picture('r', '.gitbook/assets/r.png')],
        ),
        synced: contentOf(
          [page('a', 'a.md'), page('gone', 'gone.md'), page('x', 'x.md')],
          [picture('p', '.gitbook/assets/p.png')],
        ),
      },
    );
    expect(found.totals.files).toEqual({ added: 2, removed: 1, changed: 2, moved: 2 });
    const shown = (id: string) => ({ id, title: id, path: id });
    expect(found.files.added).toEqual([
      { path: 'new.md', page: shown('new'), sizeBytes: 6 },
      { path: '.gitbook/assets/r.png', file: { id: 'r', name: 'r.png' }, sizeBytes: 7 },
    ]);
    expect(found.files.removed).toEqual([{ path: 'gone.md', page: shown('gone'), sizeBytes: 7 }]);
    expect(found.files.changed).toEqual([
      {
        ...{ path: 'SUMMARY.md', sizeBytes: 43, previous: { sizeBytes: 42 } },
        blocks: [
          {
            kind: 'changed',
            before: { text: '* [gone](gone.md)\n', firstLine: 4, lastLine: 4 },
            after: { text: '* [x](x/README.md)\n', firstLine: 4, lastLine: 4 },
          },
        ],
      },
      {
        ...{ path: 'a.md', page: shown('a'), sizeBytes: 10, previous: { sizeBytes: 10 } },
        blocks: [
          {
            kind: 'changed',
            before: { text: 'Old.', firstLine: 3, lastLine: 3 },
            after: { text: 'New.', firstLine: 3, lastLine: 3 },
          },
        ],
      },
    ]);
    expect(found.files.moved).toEqual([
      {
        ...{
          path: 'x/README.md',
          page: shown('x'),
          sizeBytes: 23,
          previous: { path: 'x.md', sizeBytes: 20 },
        },
        blocks: [
          {
            kind: 'changed',
            before: { text: 'See [a](a.md).', firstLine: 3, lastLine: 3 },
            after: { text: 'See [a](../a.md).', firstLine: 3, lastLine: 3 },
          },
        ],
      },
      {
        path: '.gitbook/assets/q.png',
        ...{
          file: { id: 'p', name: 'p.png' },
          sizeBytes: 7,
          previous: { path: '.gitbook/assets/p.png', sizeBytes: 7 },
        },
      },
    ]);
    expect(found.omitted).toEqual({ entries: 0, blocks: 0 });
  });

  it('report no file as moved when its new path had a file of its own', async () => {
    const found = await changes(
      { 'a.md': '# a\n', 'b.md': '# b\n' },
      { changes: [text('b.md', '# a\n'), { kind: 'remove', path: 'a.md' }], pages: places({ a: 'b.md' }) },
      { content: contentOf([page('a', 'a.md')]), synced: contentOf([page('a', 'a.md'), page('b', 'b.md')]) },
    );
    expect(found.totals.files).toEqual({ added: 0, removed: 1, changed: 1, moved: 0 });
  });

  it('report a text of the repository that cannot be read', async () => {
    const repository = memoryRepository({ 'a.md': '# a\n' }, { withheld: ['a.md'] });
    const plan = {
      pages: places({ a: 'a.md' }),
      files: new Map(),
      reusableContents: new Map(),
      rewritten: new Map(),
      warnings: [],
    };
    const found = await describeExport(
      { ...plan, changes: [text('a.md', '# b\n')] },
      {
        content: contentOf([page('a', 'a.md')]),
        target: { ...repository, occupied: [], projectDirectory: '' },
        needsForce: true,
      },
    );
    expect(found).toMatchObject({
      needsForce: true,
      omitted: { entries: 0, blocks: 1 },
      files: { changed: [{ path: 'a.md', partial: true }] },
    });
    expect(found.files.changed[0]).not.toHaveProperty('blocks');
  });
});
