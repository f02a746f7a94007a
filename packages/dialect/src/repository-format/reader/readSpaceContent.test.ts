import { describe, expect, it } from 'vitest';
import {
  expectedNavigation,
  fixtureRepository,
  fixtureRepositoryWithoutSummary,
  type FixtureFiles,
} from '../../../../../test/support/fixtureRepository.ts';
import { lineOf, readIndependently } from '../../../../../test/support/independentReader.ts';
import { memoryRepository } from '../../../../../test/support/memoryRepository.ts';
import { navigationOf } from '../../../../../test/support/navigationLines.ts';
import { readSpaceContent } from './readSpaceContent.ts';
import { splitFrontmatter } from '../../frontmatter/splitFrontmatter.ts';
import type { ImportedDocument, ImportedPage, PageFacts, SpaceContent } from '../types.ts';

const read = (files: FixtureFiles, projectDirectory = '') =>
  readSpaceContent(memoryRepository(files), { projectDirectory });

describe('the handbook of Fernhill', async () => {
  const files = fixtureRepository();
  const content = await read(files);

  it('has the navigation that its author intended', () => {
    expect(navigationOf(content).map(lineOf)).toEqual(expectedNavigation);
  });

  it.each<[name: string, files: FixtureFiles, projectDirectory: string]>([
    ['with SUMMARY.md', files, ''],
    ['without SUMMARY.md', fixtureRepositoryWithoutSummary(), 'docs'],
    ['without SUMMARY.md, from the root of the repository', fixtureRepositoryWithoutSummary(), ''],
  ])('is read as the independent reader reads it, %s', async (_, repository, projectDirectory) => {
    const own = navigationOf(await read(repository, projectDirectory));
    const independent = readIndependently(repository, projectDirectory);
    expect(own.map(lineOf)).toEqual(independent.map(lineOf));
    const bodies = own.map(
      ({ path }) =>
        path && Buffer.from(splitFrontmatter(repository.get(path) as Uint8Array).body).toString('latin1'),
    );
    expect(bodies).toEqual(independent.map(({ body }) => body && Buffer.from(body).toString('latin1')));
  });

  it('gives every page a path by the tree, with the name of its file', () => {
    expect(documents(content.pages).map(({ path, slug }) => `${path} ${slug}`)).toEqual([
      'readme readme',
      'whats-new whats-new',
      'first-steps/install install',
      'first-steps/first-garden first-garden',
      'first-steps/first-garden/soil soil',
      'first-steps/first-garden/soil/soil-compost soil-compost',
      'first-steps/naming_rules naming_rules',
      'first-steps/tools-and-sheds tools-and-sheds',
      'first-steps/beds-1- beds-1-',
      'guides-more/概要 概要',
      'guides-more/pépinière pépinière',
      'guides-more/pruning pruning',
      'guides-more/seasons seasons',
      'guides-more/seasons/winter winter',
      'guides-more/no-heading no-heading',
      'guides-more/crlf crlf',
      'guides-more/bom bom',
      'guides-more/latin1 latin1',
      'guides-more/setext setext',
      'guides-more/inline inline',
      'guides-more/fenced fenced',
      'guides-more/bad-frontmatter bad-frontmatter',
      'guides-more/empty empty',
      'guides-more/tools tools',
      'guides-more/tools-1 tools-1',
      'elsewhere/notes-without-a-page notes-without-a-page',
      'elsewhere/notes-without-a-page/a-note a-note',
      'elsewhere/notes-without-a-page/__proto__ __proto__',
      'elsewhere/notes-without-a-page/constructor constructor',
      'elsewhere/only-a-label only-a-label',
      'api/api api',
      'api/openapi openapi',
      'terms terms',
    ]);
    expect(content.pages.filter(({ type }) => type === 'group')).toMatchObject([
      { slug: 'first-steps', path: 'first-steps' },
      { slug: 'guides-more', path: 'guides-more' },
      { slug: 'elsewhere', path: 'elsewhere' },
      // The page at docs/api/README.md keeps its own path.
      { slug: 'api', path: 'api', filePath: 'api-1' },
    ]);
  });

  it('reads frontmatter of every kind', () => {
    expect(pageOf(content, 'docs/README.md')).toMatchObject({
      description: 'Everything about the gardens of Fernhill, from the first spade to the last leaf.',
      icon: 'seedling',
      hidden: false,
      cover: { ref: { kind: 'git-file', path: 'docs/.gitbook/assets/cover (1).png' }, yPos: -12.5 },
      layout: {
        width: 'wide',
        cover: true,
        coverSize: 'hero',
        title: true,
        description: false,
        tableOfContents: true,
        outline: false,
        pagination: true,
        metadata: true,
      },
    });
    expect(pageOf(content, 'docs/whats-new.md')).toMatchObject({
      title: 'What changed this year',
      linkTitle: 'News',
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
      tags: [{ tag: 'news' }, { tag: 'year', primary: true }],
      variables: [
        { name: 'year', value: 2026 },
        { name: 'season', value: 'spring' },
        { name: 'open', value: true },
      ],
      condition: 'visitor.claims.member == true',
    });
    expect(pageOf(content, 'docs/start/install.md')).toMatchObject({
      emoji: '1f331',
      cover: {
        ref: { kind: 'git-file', path: 'docs/.gitbook/assets/cover (1).png' },
        refDark: { kind: 'url', url: 'https://images.example.org/dark.png' },
        yPos: 0,
      },
    });
    expect(pageOf(content, 'docs/guides/bom.md')).toMatchObject({ icon: 'flag' });
    expect(pageOf(content, 'docs/guides/crlf.md')).toMatchObject({ description: 'Written on Windows' });
  });

  it('keeps links as links', () => {
    const links = [...walk(content.pages)]
      .filter((page) => page.type === 'link')
      .map(({ title, target }) => [title, target]);
    expect(links).toEqual([
      ['Mulch in winter', { kind: 'git-page', path: 'docs/guides/seasons/winter.md', anchor: 'mulch' }],
      ['Winter again', { kind: 'git-page', path: 'docs/guides/seasons/winter.md' }],
      ['A page that is gone', { kind: 'url', url: 'guides/gone.md' }],
      ['Community', { kind: 'url', url: 'https://community.example.org/?from=docs&lang=en' }],
      ['Neighbour space', { kind: 'space', space: 'neighbour01', path: 'beds' }],
      ['Price list', { kind: 'git-file', path: 'docs/files/prices.csv' }],
    ]);
  });

  it('makes a computed page of a builtin entry', () => {
    expect([...walk(content.pages)].find(({ type }) => type === 'computed')).toEqual({
      type: 'computed',
      title: 'fernhill-api',
      computed: {
        type: 'builtin:openapi',
        props: { models: true, downloadLink: false },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'fernhill-api' } } },
      },
    });
  });

  it('includes the uploaded files, and the files inside the root that pages and includes link to', () => {
    expect(content.files.map(({ git }) => git.path)).toEqual([
      'docs/.gitbook/assets/cover (1).png',
      'docs/.gitbook/assets/the shed@2x.png',
      'docs/.gitbook/assets/不明.txt',
      'docs/files/dark.webp',
      'docs/files/dark2.webp',
      'docs/files/light.webp',
      'docs/files/manual.pdf',
      'docs/files/prices.csv',
      'docs/files/stamp.png',
      'docs/start/first-garden/plan.svg',
      'docs/温室/図 面.png',
    ]);
    expect(content.files[0]).toMatchObject({ name: 'cover (1).png', sizeBytes: 8 });
  });

  it('reads includes, variables and redirects', () => {
    expect(content.includes.map(({ title, git }) => [title, git.path])).toEqual([
      ['Where to ask', 'docs/.gitbook/includes/help.md'],
      ['Notice', 'docs/.gitbook/includes/legal/notice.md'],
    ]);
    expect(content.variables).toEqual([
      { name: 'product', value: 'Fernhill' },
      { name: 'version', value: 1.1 },
      { name: 'beta', value: false },
      { name: '__proto__', value: 'polluted' },
    ]);
    expect(content.configuration).toMatchObject({
      projectDirectory: '',
      root: 'docs',
      readme: 'docs/README.md',
      summary: 'docs/SUMMARY.md',
      redirects: [
        { from: 'old/install', to: 'start/install.md', page: { path: 'docs/start/install.md' } },
        {
          from: 'old/winter',
          to: 'guides/seasons/winter.md#mulch',
          page: { path: 'docs/guides/seasons/winter.md', anchor: 'mulch' },
        },
        { from: 'old/gone', to: 'guides/gone.md' },
      ],
    });
  });

  it('reports by file all content that it did not read as written', () => {
    expect(content.warnings.map(({ level, code, path }) => `${level} ${code} ${path}`).sort()).toEqual([
      'info frontmatter_unknown docs/README.md',
      'info frontmatter_unknown docs/whats-new.md',
      'warning config_redirect .gitbook.yaml',
      'warning frontmatter_yaml docs/guides/bad-frontmatter.md',
      'warning page_path docs/guides/tools.md',
      'warning summary_computed docs/SUMMARY.md',
      'warning summary_duplicate docs/SUMMARY.md',
      'warning summary_missing_file docs/SUMMARY.md',
      'warning variables_value docs/.gitbook/vars.yaml',
    ]);
  });

  it('does not depend on the line endings of SUMMARY.md', async () => {
    const summary = new TextDecoder().decode(files.get('docs/SUMMARY.md')).replaceAll('\n', '\r\n');
    const windows = await read(new Map(files).set('docs/SUMMARY.md', new TextEncoder().encode(summary)));
    expect(windows.pages).toEqual(content.pages);
  });
});

describe('reading blobs', () => {
  it('makes one request for the files that locate others, one for those files, and one for all pages', async () => {
    const repository = memoryRepository(fixtureRepository());
    await readSpaceContent(repository, { projectDirectory: '' });
    expect(repository.batches.map((batch) => batch.slice(0, 2))).toEqual([
      ['.gitbook.yaml'],
      ['docs/SUMMARY.md', 'docs/.gitbook/vars.yaml'],
      ['docs/README.md', 'docs/whats-new.md'],
    ]);
    expect(repository.batches.flat().filter((path) => !/\.(?:md|yaml)$/.test(path))).toEqual([]);
  });

  it('needs two requests when all files have their usual paths', async () => {
    const repository = memoryRepository({
      '.gitbook.yaml': 'root: ./',
      'SUMMARY.md': '* [A](README.md)',
      'README.md': '# A',
      '.gitbook/vars.yaml': 'a: 1',
    });
    await readSpaceContent(repository, { projectDirectory: '' });
    expect(repository.batches).toEqual([
      ['.gitbook.yaml', 'SUMMARY.md', '.gitbook/vars.yaml'],
      ['README.md'],
    ]);
  });

  it('skips pages whose facts are known, and returns the facts of other pages with their bytes', async () => {
    const files = {
      'SUMMARY.md': '* [A](a.md)\n* [](b.md)\n* [Same as A](c.md)',
      'a.md': '# A',
      'b.md': '# B',
      'c.md': '# A',
    };
    const learned = new Map<string, PageFacts>();
    const given: string[] = [];
    const first = await readSpaceContent(memoryRepository(files), {
      projectDirectory: '',
      onFacts: (oid, facts, file) => {
        learned.set(oid, facts);
        given.push(new TextDecoder().decode(file));
      },
    });
    expect(given).toEqual(['# A', '# B']);

    const known = new Map(JSON.parse(JSON.stringify([...learned])) as [string, PageFacts][]);
    const again = memoryRepository({ ...files, 'b.md': '# B2' });
    const second = await readSpaceContent(again, {
      projectDirectory: '',
      knownFacts: (oid) => known.get(oid),
    });
    expect(again.batches).toEqual([['SUMMARY.md'], ['b.md']]);
    expect(second.pages.map(({ title }) => title)).toEqual(['A', 'B2', 'Same as A']);
    expect(first.pages.map(({ title }) => title)).toEqual(['A', 'B', 'Same as A']);
  });

  it('scans blobs again whose facts are of another version', async () => {
    const files = { 'a.md': '# A' };
    const repository = memoryRepository(files);
    await readSpaceContent(repository, {
      projectDirectory: '',
      knownFacts: () => ({ version: 0, h1: 'Old' }),
    });
    expect(repository.batches).toEqual([['a.md']]);
  });

  it.each(['a.md', 'SUMMARY.md', '.gitbook.yaml', '.gitbook/vars.yaml', '.gitbook/includes/i.md'])(
    'fails as too large when the repository withholds %s',
    async (path) => {
      const files = {
        '.gitbook.yaml': 'root: .',
        'SUMMARY.md': '* [A](a.md)',
        'a.md': '# A',
        '.gitbook/vars.yaml': 'a: 1',
        '.gitbook/includes/i.md': 'x',
      };
      await expect(
        readSpaceContent(memoryRepository(files, { withheld: [path] }), { projectDirectory: '' }),
      ).rejects.toMatchObject({
        code: 'too_large',
      });
    },
  );

  it('stops when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(
      readSpaceContent(memoryRepository({ 'a.md': '# A' }), { projectDirectory: '', signal }),
    ).rejects.toThrow('enough');
  });
});

function* walk(pages: readonly ImportedPage[]): Iterable<ImportedPage> {
  for (const page of pages) {
    yield page;
    if ('pages' in page) yield* walk(page.pages);
  }
}

function documents(pages: readonly ImportedPage[]): ImportedDocument[] {
  return [...walk(pages)].filter((page) => page.type === 'document');
}

function pageOf(content: SpaceContent, path: string): ImportedDocument | undefined {
  return documents(content.pages).find(({ git }) => git?.path === path);
}
