import { parseDocument } from '@bindery/dialect';
import { describe, expect, it } from 'vitest';
import { markAll, markBlocks, type MarkedDocument } from './markBlocks.ts';

const shape = ({ document, marks }: MarkedDocument) =>
  document.nodes.map((block) => {
    const words = [...JSON.stringify(block).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join(' ');
    const mark = marks.get(block.key ?? '');
    return mark ? `${mark.label}: ${words}` : words;
  });
const marked = (before: string, after: string) =>
  shape(markBlocks(parseDocument(before), parseDocument(after)));

describe('the blocks of a changed page', () => {
  it('are marked as added, removed or changed; unchanged blocks are not marked', () => {
    expect(
      marked(
        'Same.\n\nA sentence about the weather of today.\n\n- item\n- two\n\nGone words entirely.\n',
        'New start of it all.\n\nSame.\n\nA sentence about the weather of tomorrow.\n\n- item\n- two\n',
      ),
    ).toEqual([
      'Added: New start of it all.',
      'Same.',
      'Before: A sentence about the weather of today.',
      'Changed to: A sentence about the weather of tomorrow.',
      'item two',
      'Removed: Gone words entirely.',
    ]);
  });

  it('are not marked as changed for another position or anchor', () => {
    expect(marked('## Part\n\nText.\n', '## Part\n\nText.\n')).toEqual(['Part', 'Text.']);
    expect(marked('## Part\n', '## Part\n\n## Part\n')).toEqual(['Part', 'Added: Part']);
  });

  it('keep anchors only in their present version, and have unique keys', () => {
    const { document } = markBlocks(parseDocument('## Part one\n'), parseDocument('## Part one more\n'));
    expect(document.nodes.map(({ meta }) => meta?.id)).toEqual([undefined, 'part-one-more']);
    expect(new Set(document.nodes.map(({ key }) => key)).size).toBe(2);
  });

  it('are all marked as added on a new page', () => {
    expect(shape(markAll(parseDocument('One.\n\nTwo.\n')))).toEqual(['Added: One.', 'Added: Two.']);
  });
});
