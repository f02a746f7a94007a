import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../../test/support/independentReader.ts';
import { memoryRepository } from '../../../../test/support/memoryRepository.ts';
import { navigationOf } from '../../../../test/support/navigationLines.ts';
import { readSpaceContent } from './reader/readSpaceContent.ts';
import type { SpaceContent } from './types.ts';

type Files = Record<string, string>;

const read = (files: Files, projectDirectory = ''): Promise<SpaceContent> =>
  readSpaceContent(memoryRepository(files), { projectDirectory });
const codesOf = ({ warnings }: SpaceContent) => warnings.map(({ code }) => code);
const pathsOf = (content: SpaceContent) => navigationOf(content).map(({ path }) => path);

const docs: Files = {
  'docs/README.md': '# Home',
  'docs/SUMMARY.md': '* [Home](README.md)\n* [A](a.md)',
  'docs/a.md': '# A',
  'other.md': '# Other',
};

describe('.gitbook.yaml', () => {
  it.each<[name: string, config: string, codes: string[]]>([
    ['a plain root', 'root: ./docs/', []],
    ['a root with a leading slash', 'root: /docs', []],
    [
      'a root with a zero-width space before the next key',
      'root: ./docs/\n\n\u200Bstructure:\n  readme: README.md\n  summary: SUMMARY.md\u200B\n',
      [],
    ],
    [
      'structure paths that repeat the root',
      'root: docs\nstructure:\n  readme: docs/README.md\n  summary: ./docs/SUMMARY.md',
      [],
    ],
    [
      'structure paths that do not exist',
      'root: docs\nstructure:\n  readme: HOME.md\n  summary: TOC.md',
      ['config_structure', 'config_structure'],
    ],
    [
      'structure paths that climb out',
      'root: docs\nstructure:\n  summary: ../other.md',
      ['config_structure'],
    ],
    ['structure of the wrong kind', 'root: docs\nstructure: [a]', ['config_value']],
    [
      'structure values of the wrong kind',
      'root: docs\nstructure:\n  readme: [a]\n  summary:',
      ['config_structure'],
    ],
    ['keys that nobody knows', 'root: docs\nformat: 2\n__proto__: x', ['config_unknown']],
    ['redirects of the wrong kind', 'root: docs\nredirects: [a]', ['config_value']],
    ['comments and line ends of Windows', '# configuration\r\nroot: docs # here\r\n', []],
  ])('may contain %s', async (_, config, codes) => {
    const content = await read({ ...docs, '.gitbook.yaml': config });
    expect(content.configuration).toMatchObject({
      root: 'docs',
      readme: 'docs/README.md',
      summary: 'docs/SUMMARY.md',
    });
    expect(pathsOf(content)).toEqual(['docs/README.md', 'docs/a.md']);
    expect(codesOf(content)).toEqual(codes);
  });

  it.each<[name: string, config: string, codes: string[]]>([
    ['is empty', '', []],
    ['holds a comment only', '# nothing', []],
    ['is no YAML', 'root: "docs', ['config_yaml']],
    ['is a list', '- root', ['config_yaml']],
    ['uses aliases', 'a: &x docs\nroot: *x', ['config_yaml']],
    ['is too large', `root: docs\n# ${'x'.repeat(512_000)}`, ['config_yaml']],
    ['has a root without value', 'root:\nredirects:', []],
    ['has a root of the wrong kind', 'root: [docs]', ['config_value']],
    ['names the project directory itself', 'root: ./', []],
  ])('leaves the project directory as root when it %s', async (_, config, codes) => {
    const content = await read({ 'a.md': '# A', '.gitbook.yaml': config });
    expect(content.configuration).toMatchObject({
      root: '',
      configOid: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(pathsOf(content)).toEqual(['a.md']);
    expect(codesOf(content)).toEqual(codes);
  });

  it.each(['missing', '../', '../../etc', 'docs/a.md', 'a\\b', 'docs/../..', '1'])(
    'fails as not found for the root %j, because the content would be another one',
    async (root) => {
      await expect(read({ ...docs, '.gitbook.yaml': `root: '${root}'` })).rejects.toMatchObject({
        code: 'not_found',
        class: 'not_found',
      });
    },
  );

  it('reads many redirects, drops slashes around them and reports invalid ones', async () => {
    const content = await read({
      'a.md': '# A',
      'b/README.md': '# B',
      '.gitbook.yaml':
        'redirects:\n  /old/a/: ./a.md\n  old//b: b#part\n  away: https://example.org/\n  gone: x.md\n  none:\n  list: [a.md]\n  ../up: a.md\n  __proto__: a.md\n  1.10: a\n',
    });
    expect(content.configuration.redirects).toEqual([
      { from: 'old/a', to: './a.md', page: { path: 'a.md' } },
      { from: 'old/b', to: 'b#part', page: { path: 'b/README.md', anchor: 'part' } },
      { from: 'away', to: 'https://example.org/' },
      { from: 'gone', to: 'x.md' },
      { from: '__proto__', to: 'a.md', page: { path: 'a.md' } },
      { from: '1.10', to: 'a', page: { path: 'a.md' } },
    ]);
    expect(codesOf(content)).toEqual(['config_value', 'config_value', 'config_value', 'config_redirect']);
  });

  it('may name another landing page, whose slug follows from its file', async () => {
    const content = await read({
      'README.md': '# Of the repository',
      'start/INTRO.md': '# Intro',
      'NAV.md': '* [Intro](start/INTRO.md)\n* [Readme](README.md)',
      '.gitbook.yaml': 'structure: {readme: start/INTRO.md, summary: NAV.md}',
    });
    expect(content.pages).toMatchObject([
      { title: 'Intro', path: 'intro', slug: 'intro' },
      { title: 'Readme', path: 'readme' },
    ]);
  });

  it('may put SUMMARY.md into a folder, to which its targets are relative', async () => {
    const content = await read({
      '.gitbook.yaml': 'structure: {summary: nav/SUMMARY.md}',
      'nav/SUMMARY.md': '* [Up](../a.md)\n* [Here](b.md)\n* [Slash](/a2.md)\n* [Out](../../x.md)',
      'a.md': '# A',
      'a2.md': '# A2',
      'nav/b.md': '# B',
    });
    expect(navigationOf(content).map(lineOf)).toEqual([
      'page Up | a.md',
      'page Here | nav/b.md',
      'page Slash | a2.md',
      'link Out',
    ]);
    expect(codesOf(content)).toEqual(['summary_outside']);
  });
});

describe('the project directory', () => {
  it.each(['docs', '/docs/', './docs', 'docs//'])(
    '%j is a folder of the repository',
    async (projectDirectory) => {
      const content = await read(docs, projectDirectory);
      expect(content.configuration).toEqual({
        projectDirectory: 'docs',
        root: 'docs',
        readme: 'docs/README.md',
        summary: 'docs/SUMMARY.md',
        redirects: [],
      });
    },
  );

  it('contains the configuration, whose root is relative to it', async () => {
    const files = {
      'p/.gitbook.yaml': 'root: /docs',
      'p/docs/a.md': '# A',
      '.gitbook.yaml': 'root: other',
      'other/b.md': '# B',
    };
    const content = await read(files, 'p');
    expect(content.configuration).toMatchObject({ projectDirectory: 'p', root: 'p/docs' });
    expect(content.pages).toMatchObject([{ title: 'A', path: 'a', git: { path: 'p/docs/a.md' } }]);
    expect(content.warnings).toEqual([]);
  });

  it.each([
    '../',
    '..',
    'a/../../b',
    'missing',
    'docs/README.md',
    'docs\\x',
    'docs\0',
    '.git',
    'Docs',
    'x'.repeat(5000),
    'docs/..',
  ])('fails as not found for %j', async (projectDirectory) => {
    await expect(read(docs, projectDirectory)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('may be an empty repository', async () => {
    const content = await read({});
    expect(content).toEqual({
      configuration: { projectDirectory: '', root: '', redirects: [] },
      pages: [],
      files: [],
      includes: [],
      variables: [],
      warnings: [],
    });
  });
});

describe('.gitbook', () => {
  it('is used from the project directory when the content root has none', async () => {
    const content = await read({
      '.gitbook.yaml': 'root: docs',
      'docs/a.md': '---\ncover: ../.gitbook/assets/c.png\n---\n# A',
      '.gitbook/assets/c.png': 'x',
      '.gitbook/vars.yaml': 'a: 1',
      '.gitbook/includes/i.md': '# I',
    });
    expect(content.files.map(({ git }) => git.path)).toEqual(['.gitbook/assets/c.png']);
    expect(content.pages).toMatchObject([
      { cover: { ref: { kind: 'git-file', path: '.gitbook/assets/c.png' } } },
    ]);
    expect([content.variables, content.includes.map(({ title }) => title)]).toEqual([
      [{ name: 'a', value: 1 }],
      ['I'],
    ]);
  });

  it.each<[name: string, yaml: string, codes: string[]]>([
    ['empty', '', []],
    ['no YAML', 'a: "b', ['variables_yaml']],
    ['a list', '- a', ['variables_yaml']],
    ['too large', `a: ${'x'.repeat(64_000)}`, ['variables_yaml']],
    ['nested', 'a:\n  b: 1\nc:\n', ['variables_value', 'variables_value']],
  ])('may contain variables that are %s', async (_, yaml, codes) => {
    const content = await read({ 'a.md': '# A', '.gitbook/vars.yaml': yaml });
    expect([content.variables, codesOf(content)]).toEqual([[], codes]);
  });

  it('titles an include by its frontmatter, its heading or its name', async () => {
    const content = await read({
      '.gitbook/includes/a.md': '---\ntitle: "1.10"\n---\n# H',
      '.gitbook/includes/x/b.md': '# H',
      '.gitbook/includes/c d.md': 'Text',
      '.gitbook/includes/e.txt': '',
    });
    expect(content.includes.map(({ title }) => title)).toEqual(['1.10', 'H', 'c d']);
    expect(content.pages).toEqual([]);
  });
});
