import { loadFiles, type PageTree } from '@bindery/content';
import type { SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CommitChanges } from '../../support/git/gitRepository.ts';
import { flatten, startImportLab, type ImportLab } from '../../support/git/importing.ts';

vi.setConfig({ testTimeout: 60_000 });

let lab: ImportLab;
let repositories = 0;
beforeAll(async () => {
  lab = await startImportLab();
});
afterAll(() => lab.close());

type DocumentPage = Extract<PageTree, { type: 'document' }>;
type Files = Record<string, string | Uint8Array>;

const page = (name: string) =>
  `# ${name}\n\n${Array.from({ length: 20 }, (_, n) => `Sentence ${n} about ${name}.`).join('\n')}\n`;
const edited = (text: string) => text.replace('Sentence 7', 'Another sentence');

/** The pages and the files of a space by their path in the repository. */
async function itemsOf(space: SpaceRecord) {
  const { revision, tree } = await lab.contentOf(space);
  const documents = flatten(tree).flatMap(({ page: one }) =>
    one.type === 'document' && one.git ? [one as DocumentPage] : [],
  );
  const files = await loadFiles(revision);
  return new Map([...documents, ...files].map((item) => [item.git?.path ?? '', item.id]));
}

/**
 * Imports a repository, then once more after the changes. @returns where the item of each new path was before
 */
async function afterChanges(
  before: Files,
  changes: (files: Files) => CommitChanges,
): Promise<Map<string, string | undefined>> {
  const repository = await lab.gitServer.createRepository(`renames${(repositories += 1)}.git`, before);
  const space = await lab.newSpace();
  expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
  const old = new Map([...(await itemsOf(space))].map(([path, id]) => [id, path]));
  await repository.commit(changes(before));
  expect(await lab.importInto(space, repository.url)).toMatchObject({ state: 'succeeded' });
  return new Map([...(await itemsOf(space))].map(([path, id]) => [path, old.get(id)]));
}

/** Every file below `from` moves below `to`, with what is made of its text. */
const moved = (
  files: Files,
  [from, to]: [string, string],
  textOf = (text: string | Uint8Array, _path: string) => text,
) =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, text]): [string, string | Uint8Array | null][] =>
      path.startsWith(from)
        ? [
            [path, null],
            [to + path.slice(from.length), textOf(text, path)],
          ]
        : [],
    ),
  );

describe('a second import keeps the ids', () => {
  it('of two pages whose files are swapped', async () => {
    const sources = await afterChanges(
      { 'README.md': '# Home\n', 'a.md': page('one'), 'b.md': page('two') },
      () => ({
        'a.md': page('two'),
        'b.md': page('one'),
      }),
    );
    expect(Object.fromEntries(sources)).toEqual({ 'README.md': 'README.md', 'a.md': 'b.md', 'b.md': 'a.md' });
  });

  it('of a page that becomes the README of its folder, and a file again', async () => {
    const sources = await afterChanges(
      {
        'README.md': '# Home\n',
        'guide.md': page('guide'),
        'faq/README.md': page('faq'),
        'faq/old.md': page('old'),
      },
      () => ({
        'guide.md': null,
        'guide/README.md': edited(page('guide')),
        'guide/first.md': page('first'),
        'faq/README.md': null,
        'faq/old.md': null,
        'faq.md': page('faq'),
      }),
    );
    expect(Object.fromEntries(sources)).toEqual({
      'README.md': 'README.md',
      'guide/README.md': 'guide.md',
      'guide/first.md': undefined,
      'faq.md': 'faq/README.md',
    });
  });

  it('of a page whose file name changes only its case, also beside a name that differs only in case', async () => {
    const sources = await afterChanges(
      {
        'README.md': '# Home\n',
        'Setup.md': page('setup'),
        'API.md': page('upper'),
        'api.md': page('lower'),
      },
      () => ({
        'Setup.md': null,
        'setup.md': edited(page('setup')),
        'API.md': page('of other words'),
      }),
    );
    expect(Object.fromEntries(sources)).toEqual({
      'README.md': 'README.md',
      'setup.md': 'Setup.md',
      'API.md': 'API.md',
      'api.md': 'api.md',
    });
  });

  it('of 300 pages and pictures in a renamed folder, with edited pages and copies among them', async () => {
    const picture = Buffer.alloc(500, 'picture');
    const before: Files = { 'README.md': '# Home\n' };
    for (let n = 0; n < 300; n++) {
      const folder = `docs/chapter ${n % 12}`;
      before[`${folder}/page ${n}.md`] =
        n % 25 === 0 ? '# To be written\n\n![](logo.png)\n' : page(`topic ${n}`);
      before[`${folder}/logo.png`] = picture;
    }
    const isEdited = (path: string) => path.endsWith('.md') && Number(/(\d+)\.md$/.exec(path)?.[1]) % 3 === 0;
    const sources = await afterChanges(before, (files) =>
      moved(files, ['docs/', 'manual/en/'], (text, path) => (isEdited(path) ? edited(String(text)) : text)),
    );
    const wrong = [...sources].filter(([path, source]) => source !== path.replace('manual/en/', 'docs/'));
    expect(wrong).toEqual([]);
    expect(sources.size).toBeGreaterThan(300);
  });
});
