import type { DocumentBlock, DocumentTree } from '@bindery/contract';
import { parseDocument } from '@bindery/dialect';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffDocuments } from './diffDocuments.ts';
import type { BlockDiff, Run } from './documentDiff.ts';
import { signatureOf } from './signatureOf.ts';
import { textOf } from './textOf.ts';

const read = (markdown: string): DocumentTree => parseDocument(markdown) as unknown as DocumentTree;
const diff = (before: string, after: string) => diffDocuments(read(before), read(after));
const kinds = (steps: readonly BlockDiff[]) => steps.map(({ kind }) => kind);

/** Returns the first changed block, with its inner differences. */
function innerOf(steps: readonly BlockDiff[]) {
  const changed = steps.find(({ kind }) => kind === 'changed');
  if (changed?.kind !== 'changed') throw new Error('No block changed.');
  return changed;
}

const shown = (runs: readonly Run[]) =>
  runs.map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind]).join('');

describe('the differences between two documents', () => {
  it('include changed words, links and marks', () => {
    const { inner } = innerOf(
      diff(
        'Please read the [old](https://a.example) page now.',
        'Please read **the** [old](https://b.example) page.',
      ),
    );
    expect(inner.kind === 'words' && shown(inner.runs)).toBe(
      'Please read {+**+}the{+**+} [old](https://[-a-]{+b+}.example) page[- now-].',
    );
  });

  it('report a paragraph that became a heading as changed', () => {
    const { before, after } = innerOf(diff('The same words', '## The same words'));
    expect([before.type, after.type]).toEqual(['paragraph', 'heading-1']);
  });

  it('distinguish added, removed and moved blocks', () => {
    const before = 'First paragraph.\n\n## Title\n\nSecond thing.\n\nGone for good.';
    const after = 'First paragraph.\n\nSecond thing.\n\n## Title\n\n***\n\nLast';
    const found = kinds(diff(before, after));
    expect(found.filter((kind) => kind.startsWith('moved')).toSorted()).toEqual(['moved-from', 'moved-to']);
    expect(found).toContain('removed');
    expect(found.filter((kind) => kind === 'added')).toHaveLength(2);
  });

  it('include lines of code, rows of tables and blocks in blocks', () => {
    const code = innerOf(diff('```js\na = 1\nb = 2\n```', '```ts\na = 1\nb = 3\n```'));
    expect(code.properties).toEqual([{ name: 'syntax', before: 'js', after: 'ts' }]);
    expect(code.inner.kind === 'lines' && code.inner.lines.map(({ kind }) => kind)).toEqual([
      'same',
      'changed',
    ]);
    const table = innerOf(diff('|a|b|\n|-|-|\n|c d|e|\n|x|y|', '|a|b|\n|-|-|\n|c f|e|\n|x|y|'));
    expect(table.inner.kind === 'rows' && table.inner.rows.map(({ kind }) => kind)).toEqual([
      'same',
      'changed',
      'same',
    ]);
    const list = innerOf(diff('* one\n* two', '* one\n* two\n* three'));
    expect(list.inner.kind === 'blocks' && kinds(list.inner.blocks)).toEqual(['same', 'same', 'added']);
  });

  it('include both references of a picture', () => {
    const { inner } = innerOf(diff('![alt](a.png)', '![alt](b.png)'));
    const [picture] = inner.kind === 'blocks' ? inner.blocks : [];
    expect(picture?.kind === 'changed' && picture.properties.map(({ name }) => name)).toEqual(['ref']);
  });
});

/** Blocks from few words, so that both sides have some in common. */
const word = fc.constantFrom('a', 'b', 'c', 'page', 'the **page**', '[b](c.md)', '漢字の', '🎈', '\u202e');
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((all) => all.join(' '));
const block = fc.oneof(
  words,
  words.map((text) => `## ${text}`),
  words.map((text) => `* ${text}\n* more\n  * ${text}`),
  words.map((text) => `\`\`\`js\n${text.replaceAll(' ', '\n')}\n\`\`\``),
  words.map((text) => `|a|b|\n|-|-|\n|${text}|x|\n|y|${text}|`),
  words.map((text) => `{% hint style="info" %}\n${text}\n{% endhint %}`),
  words.map((text) => `{% tabs %}\n{% tab title="A" %}\n${text}\n{% endtab %}\n{% endtabs %}`),
  words.map((text) => `<details>\n\n<summary>${text}</summary>\n\nx\n\n</details>`),
  fc.constant('***'),
);
const markdown = fc.array(block, { maxLength: 12 }).map((blocks) => blocks.join('\n\n'));

const signatures = (blocks: readonly DocumentBlock[]) => blocks.map(signatureOf);

function expectSides(
  steps: readonly BlockDiff[],
  before: readonly DocumentBlock[],
  after: readonly DocumentBlock[],
) {
  const old = steps.flatMap((step) => ('before' in step ? [step.before] : []));
  const now = steps.flatMap((step) => ('after' in step ? [step.after] : []));
  expect(signatures(old)).toEqual(signatures(before));
  expect(signatures(now)).toEqual(signatures(after));
  for (const step of steps) {
    if (step.kind === 'same') expect(signatureOf(step.before)).toBe(signatureOf(step.after));
    if (step.kind !== 'changed') continue;
    const { inner } = step;
    if (inner.kind === 'words') {
      expect(textsOf(inner.runs)).toEqual([textOf(step.before), textOf(step.after)]);
    }
    if (inner.kind === 'blocks') {
      const blocksIn = ({ nodes = [], fragments = [] }: DocumentBlock) =>
        [...nodes, ...fragments.flatMap((fragment) => fragment.nodes)].filter(
          (node) => node.object === 'block',
        );
      expectSides(inner.blocks, blocksIn(step.before), blocksIn(step.after));
    }
  }
}

const textsOf = (runs: readonly Run[]) => [
  runs.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text])).join(''),
  runs.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text])).join(''),
];

describe('any two documents', () => {
  it('are rebuilt from their differences', () => {
    fc.assert(
      fc.property(markdown, markdown, (before, after) => {
        const [old, now] = [read(before), read(after)];
        expectSides(diffDocuments(old, now), old.nodes, now.nodes);
      }),
      { numRuns: 300 },
    );
  });

  it('have no differences when they are equal', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(kinds(diff(text, text)).filter((kind) => kind !== 'same')).toEqual([]);
      }),
    );
  });
});
