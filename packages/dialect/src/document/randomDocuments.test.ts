import type { DocumentNode } from '@bindery/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentJudge } from '../../../../test/support/documentProblems.ts';
import { markup, wholePage } from '../../../../test/support/randomMarkdown.ts';
import { markdownToDocument } from './markdownToDocument.ts';
import { parseDocument } from './parseDocument.ts';

const problemsOf = documentJudge();

function keysOf(nodes: readonly DocumentNode[]): (string | undefined)[] {
  return nodes.flatMap((node) => [
    node.key,
    ...(node.object === 'text'
      ? []
      : [
          ...keysOf(node.nodes ?? []),
          ...(node.fragments ?? []).flatMap((each) => [each.key, ...keysOf(each.nodes)]),
        ]),
  ]);
}

function check(markdown: string): void {
  const parsed = parseDocument(markdown);
  const keys = keysOf(parsed.nodes);
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(keys.length);
  expect(problemsOf(markdownToDocument(markdown))).toBeUndefined();
}

// Validation by the published schema takes long.
describe('parseDocument', { timeout: 60_000 }, () => {
  it('makes a valid tree of any text, with a key for each node', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.string({ unit: 'grapheme', maxLength: 200 }),
        ),
        check,
      ),
      { numRuns: 300 },
    );
  });

  it('makes a valid tree of any markup', () => {
    fc.assert(fc.property(markup, check), { numRuns: 300 });
  });

  it('makes a valid tree of any blocks in any order, with every word', () => {
    fc.assert(
      fc.property(wholePage, (markdown) => {
        check(markdown);
        const found = JSON.stringify(parseDocument(markdown));
        const words = [...markdown.matchAll(/word\d+[x-z]?/g)].map(([word]) => word);
        // The name of a footnote is not visible.
        const shown = words.filter((word) => !markdown.includes(`[^${word}]`) || found.includes(word));
        expect(shown.filter((word) => !found.includes(word))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('is deterministic', () => {
    fc.assert(
      fc.property(markup, (markdown) => {
        expect(parseDocument(markdown)).toEqual(parseDocument(markdown));
      }),
      { numRuns: 50 },
    );
  });
});
