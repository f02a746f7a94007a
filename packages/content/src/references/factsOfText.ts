import { hasTagText, parseDocument, withoutConditional } from '@bindery/dialect';
import { factsOf, type DocumentFacts } from './documentFacts.ts';
import { withoutPlainBlocks } from './withoutPlainBlocks.ts';

/** Reads the facts of a page after its title, or of a reusable content. Does not parse its plain blocks. */
export function factsOfText(markdown: string): DocumentFacts {
  return factsOfWhole(withoutPlainBlocks(markdown));
}

/**
 * Reads the same facts from all blocks. Visitors receive no conditional block that the parser did not
 * understand, because nobody can decide who may see it.
 */
export function factsOfWhole(markdown: string): DocumentFacts {
  const tree = parseDocument(markdown);
  return factsOf(tree, hasTagText(tree) ? parseDocument(withoutConditional(markdown)) : tree);
}
