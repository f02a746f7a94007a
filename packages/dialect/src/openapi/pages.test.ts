import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contentOfPage } from './documents.ts';
import { outlineOf } from './outline.ts';
import { pagesOf, type PagesOptions, type SpecificationPage } from './pages.ts';
import { openSpecification } from './specificationFile.ts';

const options: PagesOptions = { models: true };

function open(specification: object) {
  const files = [
    { filename: 'other.json', specification: { paths: { '/no': { get: {} } } }, isEntrypoint: false },
    { filename: 'openapi.json', dir: '.', isEntrypoint: true, references: [], specification },
  ];
  return openSpecification(Buffer.from(JSON.stringify(files, null, 1)));
}

function outline(specification: object) {
  return outlineOf(open(specification));
}

/** Pages as `id: title`, indented by their depth. */
function tree(specification: object, given = options): string[] {
  const lines = (pages: readonly SpecificationPage[], indent: string): string[] =>
    pages.flatMap(({ id, title, pages: below }) => [
      `${indent}${id}: ${title}`,
      ...lines(below, `${indent}  `),
    ]);
  return lines(pagesOf(outline(specification), given), '');
}

const content = (specification: object, props: Parameters<typeof contentOfPage>[1]['props']) =>
  contentOfPage(outline(specification), {
    props,
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
  });

describe('the pages of the information', () => {
  const info = {
    description:
      'Dropped.\n\n## Early\n\nText.\n\n# A *first* one\n\nOf it.\n\n```\n# no heading\n```\n\nInside\n------\n\n### Kept\n\n# Second #\n',
  };

  it('are made at headings of two levels; the text before them is dropped', () => {
    expect(tree({ info })).toEqual([
      'info-0: Early',
      'info-1: A first one',
      '  info-2: Inside',
      'info-3: Second',
    ]);
  });

  it('have the text below their heading', () => {
    expect(content({ info }, { doc: 'info', page: 'info-1' })).toEqual({
      markdown: 'Of it.\n\n```\n# no heading\n```',
      blocks: [],
    });
    expect(content({ info }, { doc: 'info', page: 'info-2' })?.markdown).toBe('### Kept');
    expect(content({ info }, { doc: 'info', page: 'info-4' })).toBeUndefined();
  });
});

const operation = (...tags: string[]) => ({ tags });

describe('the pages of tags', () => {
  it('follow the order of the tags, with parents only where they are needed', () => {
    const specification = {
      tags: [
        { name: 'group' },
        { name: 'unused' },
        { name: 'small-pets', 'x-parent': 'group', parent: 'animals' },
        { name: 'animals', 'x-displayName': 'All animals' },
        { name: 'users', 'x-page-title': 'People', 'x-displayName': 'Users', 'x-parent': 'group' },
      ],
      paths: {
        '/b': { get: operation('users', 'small-pets'), post: operation('late', 'small-pets') },
        '/a': { get: operation('late'), put: operation('late-two'), trace: {} },
      },
    };
    expect(tree(specification)).toEqual([
      'tag-group: Group',
      '  tag-users: People',
      'tag-animals: All animals',
      '  tag-small-pets: Small Pets',
      'tag-late: Late',
      'tag-late-two: Late Two',
      'tag-default: Default',
    ]);
  });

  it('are at the top when their parent is unknown, hidden or part of a cycle', () => {
    const tags = [
      { name: 'a', parent: 'b' },
      { name: 'b', parent: 'c' },
      { name: 'c', parent: 'b' },
      { name: 'd', parent: 'd' },
      { name: 'e', 'x-parent': 'nowhere' },
      { name: 'f', parent: 'g' },
      { name: 'g', 'x-internal': true },
      { name: 'a', parent: 'e' },
    ];
    const paths = Object.fromEntries(tags.map(({ name }) => [`/${name}`, { get: operation(name) }]));
    expect(tree({ tags, paths })).toEqual([
      'tag-b: B',
      '  tag-a: A',
      'tag-c: C',
      'tag-d: D',
      'tag-e: E',
      'tag-f: F',
    ]);
  });

  it('have an icon and a description', () => {
    const tags = [{ name: 'a', 'x-page-icon': 'cat', 'x-page-description': 'About A' }];
    expect(pagesOf(outline({ tags, paths: { '/': { get: operation('a') } } }), options)).toEqual([
      {
        id: 'tag-a',
        title: 'A',
        icon: 'cat',
        description: 'About A',
        props: { doc: 'operations', page: 'tag-a' },
        pages: [],
      },
    ]);
  });

  it('show the description of the tag, then its operations in the order of paths and methods', () => {
    const specification = {
      tags: [{ name: 'a', description: 'About **A**.', 'x-gitbook-description-document': { nodes: [] } }],
      paths: {
        '/z': { trace: operation('a'), post: operation('a'), get: { $ref: '#/paths/~1z/post' } },
        '/b': { $ref: '#/components/pathItems/b' },
        '/c': { get: { ...operation('a'), 'x-gitbook-ignore': true }, put: 'broken' },
        '/d': { 'x-internal': true, get: operation('a') },
      },
      components: { pathItems: { b: { patch: operation('a'), head: operation('a') } } },
    };
    const found = content(specification, { doc: 'operations', page: 'tag-a' });
    expect([found?.markdown, found?.document]).toEqual(['About **A**.', { nodes: [] }]);
    expect(found?.blocks.map(({ data }) => [data?.['method'], data?.['path']].join(' '))).toEqual([
      'get /z',
      'post /z',
      'trace /z',
      'head /b',
      'patch /b',
    ]);
    expect(content(specification, { doc: 'tag', page: 'tag-a' })?.blocks).toEqual([]);
  });
});

const whole = {
  tags: [{ name: 'a' }],
  paths: { '/a': { get: { ...operation('a'), summary: 'Get it', deprecated: true }, put: operation('b') } },
  webhooks: { born: { post: { summary: 'A pet is born' } }, gone: { post: {}, put: {} } },
  components: { schemas: { Pet: {}, Secret: { 'x-internal': true }, Error: {} } },
};

describe('webhooks and models', () => {
  it('come after the tags', () => {
    expect(tree(whole)).toEqual(['tag-a: A', 'tag-b: B', 'webhooks: Webhooks', 'models: Models']);
    expect(tree(whole, { models: false })).not.toContain('models: Models');
    expect(tree({ components: { schemas: {} } })).toEqual([]);
    expect(content(whole, { doc: 'models' })?.blocks[0]?.data).toMatchObject({ schemas: ['Pet', 'Error'] });
    expect(
      content(whole, { doc: 'operations', page: 'webhooks' })?.blocks.map(({ type, data }) => [
        type,
        data?.['name'],
        data?.['method'],
      ]),
    ).toEqual([
      ['openapi-webhook', 'born', 'post'],
      ['openapi-webhook', 'gone', 'post'],
      ['openapi-webhook', 'gone', 'put'],
    ]);
  });
});

describe('pages by operation', () => {
  it('include one for each operation and webhook, below the page of its tag', () => {
    const given = { models: true, grouping: 'by-operation' as const };
    expect(tree(whole, given)).toEqual([
      'tag-a: A',
      '  operation-get /a: Get it',
      'tag-b: B',
      '  operation-put /a: PUT /a',
      'webhooks: Webhooks',
      '  webhook-born: A pet is born',
      '  webhook-gone: POST gone',
      'models: Models',
    ]);
    const [first, , webhooks] = pagesOf(outline(whole), given);
    expect(first?.props).toEqual({ doc: 'tag', page: 'tag-a' });
    expect(first?.pages[0]?.props).toEqual({ doc: 'operation', page: '/a', method: 'get', deprecated: true });
    expect(webhooks?.pages[0]?.props).toEqual({ doc: 'operation', page: 'born', method: 'hook' });
    expect(content(whole, { doc: 'operation', page: 'gone', method: 'hook' })?.blocks).toHaveLength(2);
    expect(content(whole, { doc: 'operation', page: '/a', method: 'delete' })).toBeUndefined();
  });
});

describe('real and odd specifications', () => {
  it("of GitBook's API has each operation on one page", () => {
    const specification = JSON.parse(
      readFileSync(
        new URL('../../../../node_modules/@gitbook/api/spec/openapi.json', import.meta.url),
        'utf8',
      ),
    ) as { paths: Record<string, Record<string, unknown>> };
    const found = outline(specification);
    expect(found.operations.length).toBeGreaterThan(300);
    const shown = tree(specification, { models: true, grouping: 'by-operation' }).filter((line) =>
      line.includes('  operation-'),
    );
    expect(shown).toHaveLength(found.operations.length);
  });

  it.each([
    ['nothing', {}],
    ['other types', { info: [], tags: 'a', paths: [1], webhooks: null, components: { schemas: 7 } }],
    ['rings of references', { paths: { '/a': { $ref: '#/paths/~1a' }, '/b': { get: { $ref: '#/x' } } } }],
    ['names that are odd', { paths: { __proto__: { get: {} } }, tags: [{ name: '__proto__' }, 5, null] }],
  ])('with %s give few pages or none', (_what, specification) => {
    expect(tree(specification).length).toBeLessThan(2);
  });
});
