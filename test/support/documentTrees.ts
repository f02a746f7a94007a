import type {
  DocumentBlock,
  DocumentInline,
  DocumentNode,
  DocumentText,
  DocumentTree,
} from '@bindery/contract';
import fc, { type Arbitrary } from 'fast-check';

/**
 * Generates trees as returned by `parseDocument`, with every type of block, inline and mark; references are
 * targets as written.
 */
export function documentTrees(): Arbitrary<DocumentTree> {
  return fc
    .array(topLevel, { minLength: 0, maxLength: 5 })
    .map((nodes) => ({ object: 'document', data: { schemaVersion: 1 }, nodes }));
}

/** Removes everything that a round trip need not keep: keys, positions of headings, splits of text leaves. */
export function essentials(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(essentials);
  if (typeof tree !== 'object' || tree === null) return tree;
  const node = tree as Record<string, unknown>;
  if (node['object'] === 'leaf')
    return [
      node['text'],
      ...(node['marks'] as { type: string; data?: unknown }[]).map(({ type, data }) =>
        data ? [type, data] : type,
      ),
    ];
  const entries = Object.entries(node).filter(
    ([key, value]) => !['key', 'meta', 'isVoid'].includes(key) && value !== undefined,
  );
  return Object.fromEntries(
    entries
      .filter(
        ([key, value]) => key !== 'data' || Object.values(value as object).some((each) => each !== undefined),
      )
      .map(([key, value]) => {
        if (key === 'nodes')
          return [key, (value as DocumentNode[]).filter((child) => !isEmpty(child)).map(essentials)];
        if (key === 'leaves')
          return [key, (value as DocumentText['leaves']).filter(({ text }) => text !== '').map(essentials)];
        return [key, essentials(value)];
      }),
  );
}

function isEmpty(node: DocumentNode): boolean {
  return node.object === 'text' && node.leaves.every(({ text }) => text === '');
}

const block = (type: DocumentBlock['type'], rest: Partial<DocumentBlock> = {}): DocumentBlock => ({
  object: 'block',
  type,
  ...rest,
});
const inline = (type: DocumentInline['type'], rest: Partial<DocumentInline> = {}): DocumentInline => ({
  object: 'inline',
  type,
  ...rest,
});
const maybe = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

const letters = fc.string({
  unit: fc.constantFrom(...Array.from('abcXYZ019éß日本🙂*_`~[](){}<>#+-=.|\\!&;:/"\'%$@^,?')),
  minLength: 1,
  maxLength: 8,
});
/** Words with single spaces, which HTML keeps too. */
const words = fc
  .array(
    fc.oneof(
      letters,
      fc.constantFrom(
        'word',
        '{% hint %}',
        '$$x$$',
        '&amp;',
        '<b>',
        'https://example.org',
        '1.',
        '-',
        '#',
        ':smile:',
        'www.',
        '[^1]',
      ),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((each) => each.join(' ').trim());
/** For texts in which lines and spaces matter. */
const spaced = fc
  .tuple(
    fc.constantFrom('', ' ', '  '),
    words,
    fc.constantFrom('', '\n', '  '),
    words,
    fc.constantFrom('', ' ', '\n'),
  )
  .map((parts) => parts.join(''));
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const targets = fc.oneof(
  fc.constantFrom(
    'page.md',
    '../a%20b.md#c',
    '/pages/p1',
    '/broken/files/x',
    'https://example.org/a?b=c&d=e#f',
    '#anchor',
    'a (1).png',
    '"q".md',
    'a_b.md',
    'x&lt;.md',
  ),
);
const ref = targets.map((target) => ({ kind: 'target', target }));

type Marks = DocumentText['leaves'][number]['marks'];
const colors = fc.constantFrom('red', '$primary', 'blue');
const marks = fc
  .uniqueArray(
    fc.oneof(
      fc
        .constantFrom('bold', 'italic', 'keyboard', 'strikethrough', 'superscript', 'subscript', 'code')
        .map((type) => ({ object: 'mark', type })),
      fc
        .tuple(colors, fc.constantFrom('default', 'green'))
        .map(([text, background]) => ({ object: 'mark', type: 'color', data: { text, background } })),
    ),
    { maxLength: 2, selector: ({ type }) => type },
  )
  // Code contains no markup, so the code mark is the innermost.
  .map((all) =>
    all.toSorted((one, other) => Number(one.type === 'code') - Number(other.type === 'code')),
  ) as Arbitrary<Marks>;

const leaf = (text: Arbitrary<string>) =>
  fc
    .tuple(text, fc.oneof({ arbitrary: fc.constant<Marks>([]), weight: 2 }, { arbitrary: marks, weight: 1 }))
    .map(([content, all]) => ({
      object: 'leaf' as const,
      text: all.some(({ type }) => type === 'code') ? content.replaceAll(/\s+/g, ' ').trim() : content,
      marks: all,
    }));

function textNode(leaves: DocumentText['leaves']): DocumentText {
  return { object: 'text', leaves };
}

const voidInline: Arbitrary<DocumentInline> = fc.oneof(
  fc.constantFrom('1f604', '1f468-200d-1f4bb', '2705').map((code) => inline('emoji', { data: { code } })),
  fc.tuple(name, maybe(colors)).map(([icon, color]) => inline('icon', { data: { icon, color } })),
  words.map((expression) => inline('expression', { data: { expression } })),
  fc
    .tuple(ref, maybe(ref), maybe(words), maybe(fc.constantFrom('original', 'line')))
    .map(([to, refDark, alt, size]) => inline('inline-image', { data: { ref: to, refDark, alt, size } })),
  ref.map((to) => inline('mention', { data: { ref: to } })),
  fc
    .tuple(
      words,
      fc.constantFrom('primary', 'secondary'),
      maybe(fc.constantFrom('small', 'large')),
      maybe(name),
      ref,
    )
    .map(([label, kind, size, icon, to]) => inline('button', { data: { label, kind, size, icon, ref: to } })),
  fc.tuple(words, maybe(words)).map(([label, query]) =>
    inline('button', {
      data: { label, kind: 'primary', action: { action: 'ask', ...(query && { query }) } },
    }),
  ),
);

const math = fc
  .constantFrom('a^2', 'x_1 + \\frac{1}{2}')
  .map((formula) => inline('inline-math', { data: { formula } }));

/** HTML has no notation for formulas. */
type Texts = { text: Arbitrary<string>; hasMath: boolean };

/** Alternates text and inlines, beginning and ending with text; adjacent equal leaves are joined. */
function flow({ text, hasMath }: Texts): Arbitrary<(DocumentText | DocumentInline)[]> {
  const leaves = fc.array(leaf(text), { minLength: 1, maxLength: 3 }).map(joined);
  const link = fc
    .tuple(ref, leaves)
    .map(([to, inner]) => inline('link', { data: { ref: to }, nodes: [textNode(inner)] }));
  const annotation = fc.tuple(leaves, words).map(([inner, note]) =>
    inline('annotation', {
      nodes: [textNode(inner)],
      fragments: [
        { object: 'fragment', fragment: 'annotation-body', type: 'annotation-body', nodes: [plain(note)] },
      ],
    }),
  );
  const middle = fc.oneof(link, voidInline, annotation, ...(hasMath ? [math] : []));
  return fc
    .tuple(leaves, fc.array(fc.tuple(middle, leaves), { maxLength: 2 }))
    .map(([first, rest]) => [textNode(first), ...rest.flatMap(([node, after]) => [node, textNode(after)])]);
}

function joined(leaves: DocumentText['leaves']): DocumentText['leaves'] {
  const result: DocumentText['leaves'] = [];
  for (const each of leaves) {
    const last = result.at(-1);
    if (last && JSON.stringify(last.marks) === JSON.stringify(each.marks)) last.text += ` ${each.text}`;
    else result.push({ ...each });
  }
  return result;
}

function plain(text: string): DocumentBlock {
  return block('paragraph', { nodes: [textNode([{ object: 'leaf', text, marks: [] }])] });
}

const rich = flow({ text: spaced, hasMath: true });
const tidy = flow({ text: words, hasMath: false });
const paragraph = rich.map((nodes) => block('paragraph', { nodes }));
const tidyParagraph = tidy.map((nodes) => block('paragraph', { nodes }));
const aligned = fc
  .tuple(tidy, fc.constantFrom('center', 'end'))
  .map(([nodes, align]) => block('paragraph', { data: { align }, nodes }));
const heading = fc
  .tuple(fc.constantFrom('heading-1' as const, 'heading-2' as const, 'heading-3' as const), tidy, maybe(name))
  .map(([type, nodes, id]) => block(type, { data: { id }, nodes }));
const codeLines = fc.array(
  fc.oneof(words, fc.constantFrom('', '  indented', '```', '{% endcode %}', '</pre>', '~~~', '$$')),
  {
    minLength: 1,
    maxLength: 5,
  },
);
const codeLine = (text: string, highlighted?: boolean) =>
  block('code-line', { data: { highlighted }, nodes: [textNode([{ object: 'leaf', text, marks: [] }])] });
const code = fc
  .record({
    syntax: maybe(name),
    title: maybe(words),
    overflow: maybe(fc.constantFrom('wrap')),
    lineNumbers: maybe(fc.constant(true)),
    lines: codeLines,
  })
  .map(({ lines, ...data }) => block('code', { data, nodes: lines.map((line) => codeLine(line)) }));
const highlightedCode = fc
  .tuple(maybe(name), fc.array(fc.tuple(words, fc.boolean()), { minLength: 1, maxLength: 4 }))
  .map(([syntax, lines]) =>
    block('code', {
      data: { syntax },
      nodes: [codeLine('first', true), ...lines.map(([text, isOn]) => codeLine(text, isOn || undefined))],
    }),
  );
const image = fc
  .record({
    ref,
    refDark: maybe(ref),
    alt: maybe(words),
    width: maybe(fc.oneof(fc.constant(300), fc.constant({ unit: '%', value: 50 }))),
    caption: maybe(tidy),
  })
  .map(({ caption, ...data }) =>
    block('image', {
      data,
      fragments: caption
        ? [
            {
              object: 'fragment',
              fragment: 'caption',
              type: 'caption',
              nodes: [block('paragraph', { nodes: caption })],
            },
          ]
        : [],
    }),
  );
const images = fc
  .tuple(
    fc.array(image, { minLength: 1, maxLength: 2 }),
    fc.record({
      align: maybe(fc.constantFrom('center', 'left')),
      fullWidth: maybe(fc.constant(true)),
      withFrame: maybe(fc.constant(true)),
    }),
  )
  .map(([nodes, data]) => block('images', { data, nodes }));
const essential = fc.oneof({ arbitrary: paragraph, weight: 4 }, heading, fc.constant(block('divider')));
const list = fc
  .tuple(
    fc.constantFrom('list-ordered' as const, 'list-unordered' as const, 'list-tasks' as const),
    fc.array(
      fc.tuple(tidyParagraph, fc.array(fc.oneof(tidyParagraph, code), { maxLength: 1 }), fc.boolean()),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.constantFrom(undefined, 3),
  )
  .map(([type, items, start]) =>
    block(type, {
      data: { start: type === 'list-ordered' ? start : undefined },
      nodes: items.map(([first, more, checked]) =>
        block('list-item', {
          data: { checked: type === 'list-tasks' ? checked : undefined },
          nodes: [first, ...more],
        }),
      ),
    }),
  );
const common = fc.oneof(
  { arbitrary: essential, weight: 5 },
  { arbitrary: list, weight: 2 },
  code,
  highlightedCode,
  images,
  ref.map((to) => block('file', { data: { ref: to } })),
  fc
    .tuple(fc.constantFrom('https://example.org/v?a=b&c=d', 'https://example.org/"x"'), maybe(fc.boolean()))
    .map(([url, fullWidth]) => block('embed', { data: { url, fullWidth } })),
  ref.map((to) => block('content-ref', { data: { ref: to } })),
  fc.constantFrom('a^2', 'x\n\ny').map((formula) => block('math', { data: { formula } })),
  fc.array(essential, { minLength: 1, maxLength: 2 }).map((nodes) => block('blockquote', { nodes })),
  fc
    .tuple(
      fc.constantFrom('info', 'warning', 'danger', 'success'),
      maybe(name),
      fc.array(fc.oneof(essential, list), { minLength: 1, maxLength: 2 }),
    )
    .map(([style, icon, nodes]) => block('hint', { data: { style, icon }, nodes })),
  fc
    .tuple(words, maybe(name), code)
    .map(([description, icon, nodes]) =>
      block('prompt', { data: { description, icon }, nodes: [{ ...nodes, data: {} }] }),
    ),
);
const blocks = (of: Arbitrary<DocumentBlock>) => fc.array(of, { minLength: 1, maxLength: 3 });
const named = (fragment: string, nodes: DocumentNode[]) => ({
  object: 'fragment' as const,
  fragment,
  type: fragment,
  nodes,
});
const expandable = fc
  .tuple(tidy, blocks(fc.oneof(essential, code, images, list)), maybe(fc.constant(true)))
  .map(([title, body, defaultExpanded]) =>
    block('expandable', {
      data: { defaultExpanded },
      fragments: [
        named('expandable-title', [block('paragraph', { nodes: title })]),
        named('expandable-body', body),
      ],
    }),
  );

const cell = fc.oneof(
  tidyParagraph.map((only) => [only]),
  fc.tuple(tidyParagraph, tidyParagraph),
);
const table = fc
  .record({
    titles: fc.array(words, { minLength: 1, maxLength: 3 }),
    cells: fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    width: maybe(fc.constant(120)),
  })
  .map(({ titles, cells, width }) => {
    const ids = titles.map((_, index) => `c${index + 1}`);
    const definition = Object.fromEntries(
      ids.map((id, index) => [
        id,
        { id, title: titles[index], type: 'text', textAlignment: index === 1 ? 'center' : 'left' },
      ]),
    );
    const rows = cells.map((row, index) => [`r${index + 1}`, row.slice(0, ids.length)] as const);
    const records = Object.fromEntries(
      rows.map(([id, row], index) => [
        id,
        {
          orderIndex: String(index + 1),
          values: Object.fromEntries(row.map((_, at) => [`c${at + 1}`, `${id}c${at + 1}`])),
        },
      ]),
    );
    const fragments = rows.flatMap(([id, row]) =>
      row.map((nodes, at) => ({
        object: 'fragment' as const,
        fragment: `${id}c${at + 1}`,
        nodes: [...nodes],
      })),
    );
    return block('table', {
      data: {
        view: { type: 'grid', columns: ids, columnWidths: width && { c1: width }, hideHeader: false },
        records,
        definition,
      },
      fragments,
    });
  });

const part = (
  type: DocumentBlock['type'],
  data: Arbitrary<Record<string, unknown>>,
  of: Arbitrary<DocumentBlock>,
) =>
  fc
    .array(fc.tuple(data, blocks(of)), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.map(([given, nodes]) => block(type, { data: given, nodes })));
const topLevel: Arbitrary<DocumentBlock> = fc.oneof(
  { arbitrary: common, weight: 8 },
  aligned,
  expandable,
  { arbitrary: table, weight: 2 },
  part('tabs-item', fc.record({ title: maybe(words), icon: maybe(name) }), common).map((nodes) =>
    block('tabs', { nodes }),
  ),
  part('stepper-step', fc.constant({}), common).map((nodes) => block('stepper', { nodes })),
  part(
    'column',
    fc.record({
      width: maybe(fc.constant({ unit: '%', value: 50 })),
      verticalAlignment: maybe(fc.constantFrom('middle')),
    }),
    common,
  ).map((nodes) => block('columns', { nodes })),
  part(
    'update',
    fc.record({
      date: fc.constant('2026-01-02T00:00:00.000Z'),
      tags: maybe(fc.constant([{ kind: 'tag', tag: 'new' }])),
    }),
    common,
  ).map((nodes) => block('updates', { data: { format: 'full' }, nodes })),
  blocks(common).map((nodes) => block('if', { data: { expression: 'visitor.claims.plan == "pro"' }, nodes })),
  fc
    .constantFrom('/.gitbook/includes/a.md', '../a b.md')
    .map((target) => block('reusable-content', { data: { ref: { kind: 'target', target } } })),
  fc.tuple(ref, words).map(([to, path]) => block('swagger', { data: { ref: to, path, method: 'get' } })),
  words.map((path) =>
    block('openapi-operation', { data: { ref: { kind: 'openapi', spec: 'pets' }, path, method: 'post' } }),
  ),
  fc.constant(
    block('openapi-schemas', {
      data: { ref: { kind: 'openapi', spec: 'pets' }, schemas: ['Pet', 'Owner'], grouped: true },
    }),
  ),
  fc.constant(
    block('openapi-webhook', {
      data: { ref: { kind: 'openapi', spec: 'pets' }, name: 'born', method: 'post' },
    }),
  ),
);
