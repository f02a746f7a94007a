import type { Root } from 'mdast';
import { blockTags, parseMarkdown } from '../document/blockTags.ts';
import { resetWork } from '../syntax/markdownParser.ts';
import { tokenizeTags, type PlacedToken } from '../syntax/tokens.ts';

/**
 * Returns the Markdown parser for one page and pieces of it. It returns undefined for a text that would take
 * too long, as `parseDocument` does, and for all texts after it.
 */
export function sourceParser(): (markdown: string) => Root | undefined {
  resetWork();
  return (markdown) => {
    try {
      return parseMarkdown(markdown);
    } catch {
      return undefined;
    }
  };
}

/** Splits a source into the tags of the dialect and the text between them. */
export function placedTags(source: string): PlacedToken[] {
  let at = 0;
  return tokenizeTags(source, blockTags.isTag).flatMap((token) => {
    if (token.kind === 'node') return [];
    const placed = { ...token, at };
    at += token.raw.length;
    return [placed];
  });
}
