import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { blockTypes, inlineTypes } from './documentStructure.ts';
import { blockData } from './documentTypes.ts';
import {
  DocumentTree,
  emptyDocument,
  type DocumentBlock,
  type DocumentInline,
  type DocumentNode,
} from './document.ts';
import { bound } from '../../../../test/support/machine.ts';

const ref = { kind: 'openapi', spec: 'pets' };
const picture = { kind: 'url', url: 'https://example.org/a.png' };

/** Minimal `data` for the types that require some; the values cannot be derived from the rules. */
const needed: Record<string, Record<string, unknown>> = {
  'heading-1': { id: 'a-b.c' },
  hint: { style: 'info', icon: 'circle-info' },
  prompt: { description: 'Ask' },
  image: { ref: picture, width: 10, height: { unit: '%', value: 50 } },
  file: { ref: { kind: 'file', file: 'f1' } },
  embed: { url: 'https://example.org' },
  code: { syntax: 'ts', overflow: 'wrap', lineNumbers: true },
  'code-line': { highlighted: true },
  math: { formula: 'a^2' },
  table: {
    view: { type: 'grid', columns: ['c1', 'c2'], columnWidths: { c1: 100 }, hideHeader: false },
    records: { r1: { orderIndex: 'a', values: { c1: 'fragment-1', c2: 5 } } },
    definition: {
      c1: { id: 'c1', title: 'One', type: 'text', textAlignment: 'left' },
      c2: { id: 'c2', title: 'Two', type: 'number' },
    },
  },
  swagger: { ref: picture, path: '/pets', method: 'get' },
  'openapi-operation': { ref, path: '/pets', method: 'get' },
  'openapi-schemas': { ref, schemas: ['Pet'] },
  'openapi-webhook': { ref, name: 'born', method: 'post' },
  'content-ref': { ref: { kind: 'page', page: 'p1', space: 's1' } },
  integration: { integration: 'i', block: 'b', props: { a: [1] }, action: { action: 'x' } },
  'reusable-content': { ref: { kind: 'reusable-content', reusableContent: 'r1' } },
  if: { expression: 'visitor.claims.a == true' },
  updates: { format: 'full' },
  update: { date: '2026-01-02T03:04:05.000Z', tags: [{ kind: 'tag', tag: 't' }] },
  column: { width: 0.5, verticalAlignment: 'top' },
  link: { ref: { kind: 'anchor', anchor: 'a', page: 'p' } },
  emoji: { code: '1f600' },
  icon: { icon: 'house', color: '$tint' },
  expression: { expression: 'a' },
  'inline-math': { formula: 'b' },
  'inline-image': { ref: picture, size: 'line' },
  mention: { ref: { kind: 'user', user: 'u1' } },
};
const holds: Record<string, () => DocumentNode[]> = {
  'list-ordered': () => [block('list-item')],
  'list-unordered': () => [block('list-item')],
  'list-tasks': () => [block('list-item')],
  'list-item': () => [block('paragraph')],
  blockquote: () => [block('paragraph'), block('divider')],
  hint: () => [block('paragraph')],
  prompt: () => [block('code')],
  images: () => [block('image')],
  code: () => [block('code-line')],
  'code-line': () => [text('let a')],
  tabs: () => [block('tabs-item')],
  'tabs-item': () => [block('paragraph')],
  stepper: () => [block('stepper-step')],
  'stepper-step': () => [block('expandable')],
  if: () => [block('table')],
  columns: () => [block('column')],
  column: () => [block('stepper')],
  updates: () => [block('update')],
  update: () => [block('tabs')],
  link: () => [text('here')],
  annotation: () => [text('there')],
};
const flow = ['paragraph', 'heading-1', 'heading-2', 'heading-3'];
const fragment = (name: string, nodes = [block('paragraph')]) => ({
  object: 'fragment' as const,
  fragment: name,
  type: name,
  nodes,
});
const fragments: Record<string, () => object[]> = {
  image: () => [fragment('caption')],
  expandable: () => [fragment('expandable-title'), fragment('expandable-body')],
  table: () => [fragment('cell', [block('paragraph'), block('list-unordered')])],
  annotation: () => [fragment('annotation-body')],
};

function text(words: string): DocumentNode {
  const marks = [{ object: 'mark' as const, type: 'bold' as const }];
  return { object: 'text', leaves: [{ object: 'leaf', text: words, marks }] };
}

function block(type: keyof typeof blockTypes): DocumentBlock {
  return { object: 'block', type, ...partsOf(type) } as DocumentBlock;
}

function inline(type: keyof typeof inlineTypes): DocumentInline {
  return { object: 'inline', type, ...partsOf(type) } as DocumentInline;
}

function partsOf(type: string) {
  const nodes = flow.includes(type) ? [text('words')] : holds[type]?.();
  return {
    isVoid: nodes === undefined,
    ...(nodes && { nodes }),
    ...(fragments[type] && { fragments: fragments[type]() }),
    ...(blockData[type as 'code']?.safeParse(undefined).success !== true && {
      data: needed[type] ?? {},
    }),
  };
}

const document = (...nodes: unknown[]) => ({ object: 'document', data: { schemaVersion: 1 }, nodes });
const problemsOf = (tree: unknown) =>
  DocumentTree.safeParse(tree).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

/** The schema of a document tree in the published document. */
function officialSchema() {
  const official = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json'), 'utf8'),
  ) as object;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(official, 'official');
  return ajv.compile({ $ref: 'official#/components/schemas/JSONDocument' });
}

const validate = officialSchema();
const inside = ['list-item', 'image', 'code-line', 'tabs-item', 'stepper-step', 'column', 'update'];
const topLevel = (Object.keys(blockTypes) as (keyof typeof blockTypes)[]).filter(
  (type) => !inside.includes(type),
);

describe('DocumentTree', () => {
  it.each(topLevel)('accepts a %s, as the published document does', (type) => {
    const tree = document(block(type));
    expect(validate(tree), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
    expect(problemsOf(tree)).toBeUndefined();
    expect(DocumentTree.parse(tree)).toEqual(tree);
  });

  it.each(Object.keys(inlineTypes).filter((type) => type !== 'button') as (keyof typeof inlineTypes)[])(
    'accepts a %s in a paragraph',
    (type) => {
      const tree = document({ ...block('paragraph'), nodes: [text('before '), inline(type)] });
      expect(validate(tree), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
      expect(problemsOf(tree)).toBeUndefined();
    },
  );

  it('accepts a button with a link or an action', () => {
    const button = (data: object) =>
      document({ ...block('paragraph'), nodes: [{ object: 'inline', type: 'button', isVoid: true, data }] });
    expect(problemsOf(button({ label: 'Go', kind: 'primary', ref: picture }))).toBeUndefined();
    expect(
      problemsOf(button({ label: 'Go', kind: 'primary', action: { action: 'search' } })),
    ).toBeUndefined();
    expect(problemsOf(button({ label: 'Go', kind: 'primary' }))).toHaveLength(1);
  });

  it('accepts the empty document, and further keys in its data', () => {
    expect(DocumentTree.parse(emptyDocument)).toEqual(emptyDocument);
    expect(DocumentTree.parse({ object: 'document', data: { more: [1] }, nodes: [] })).toEqual({
      object: 'document',
      data: { more: [1] },
      nodes: [],
    });
  });

  it('drops fields that it does not know', () => {
    const paragraph = { ...block('paragraph'), permissions: { admin: true } };
    expect(DocumentTree.parse({ ...document(paragraph), organization: 'other' })).toEqual(
      document(block('paragraph')),
    );
  });

  const paragraph = block('paragraph');
  it.each<[string, unknown]>([
    ['a version that is text', { ...document(), data: { schemaVersion: '1' } }],
    ['a version below 0', { ...document(), data: { schemaVersion: -1 } }],
    ['a version with a fraction', { ...document(), data: { schemaVersion: 1.5 } }],
    ['no data', { object: 'document', nodes: [] }],
    ['no nodes', { object: 'document', data: {} }],
    ['a list', []],
    ['text', 'words'],
    ['null', null],
    ['a block without type', document({ object: 'block', nodes: [] })],
    ['a block of an unknown type', document({ object: 'block', type: 'iframe', nodes: [] })],
    ['a block without object', document({ type: 'paragraph', nodes: [] })],
    ['text at the top', document(text('a'))],
    ['an inline at the top', document(inline('emoji'))],
    ['an inner block at the top', document(block('list-item'))],
    ['a block where text belongs', document({ ...paragraph, nodes: [paragraph] })],
    ['a key twice', document({ ...paragraph, key: 'k' }, { ...paragraph, key: 'k' })],
    [
      'an unknown mark',
      document({
        ...paragraph,
        nodes: [
          {
            object: 'text',
            leaves: [{ object: 'leaf', text: 'a', marks: [{ object: 'mark', type: 'blink' }] }],
          },
        ],
      }),
    ],
    [
      'a colour without data',
      document({
        ...paragraph,
        nodes: [
          {
            object: 'text',
            leaves: [{ object: 'leaf', text: 'a', marks: [{ object: 'mark', type: 'color' }] }],
          },
        ],
      }),
    ],
    [
      'a leaf without marks',
      document({ ...paragraph, nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'a' }] }] }),
    ],
    ['data of another shape', document({ ...block('hint'), data: { style: 'purple' } })],
    ['a void block with nodes', document({ ...block('divider'), nodes: [paragraph] })],
    ['a void block that says it is not', document({ ...block('divider'), isVoid: false })],
    ['a void block that says nothing', document({ ...block('divider'), isVoid: undefined })],
    ['a paragraph that says it is void', document({ ...paragraph, isVoid: true })],
    ['a paragraph without nodes', document({ object: 'block', type: 'paragraph' })],
    ['fragments where there are none', document({ ...paragraph, fragments: [fragment('caption')] })],
    ['a fragment with another name', document({ ...block('expandable'), fragments: [fragment('caption')] })],
    ['NUL', document({ ...paragraph, nodes: [text('a\0b')] })],
    ['half a surrogate pair', document({ ...paragraph, nodes: [text('\ud800')] })],
    ['four million characters and more', document({ ...paragraph, nodes: [text('a'.repeat(4_000_000))] })],
    ['data of 5 MB', { ...document(), data: { blob: 'a'.repeat(5_000_000) } }],
  ])('refuses %s', (_what, tree) => {
    expect(problemsOf(tree)).not.toBeUndefined();
  });

  it('refuses trees that are too deep or too large quickly', () => {
    let deep: object = paragraph;
    for (let depth = 0; depth < 5_000; depth += 1)
      deep = { object: 'block', type: 'blockquote', nodes: [deep] };
    const large = { ...document(), nodes: Array.from({ length: 200_000 }, () => paragraph) };
    const start = Date.now();
    expect(problemsOf(document(deep))).toEqual([' must be nested at most 80 deep']);
    expect(problemsOf(large)).toEqual([' must have at most 120000 values']);
    expect(Date.now() - start).toBeLessThan(bound(1_000));
  });

  it('names the path of the problem', () => {
    expect(problemsOf(document(paragraph, { ...block('hint'), data: {} }))?.[0]).toMatch(
      /^nodes\.1\.data\.style /,
    );
  });
});
