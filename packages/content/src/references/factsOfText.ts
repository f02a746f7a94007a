import { hasTagText, parseDocument, withoutConditional } from '@bindery/dialect';
import { factsOf, type DocumentFacts } from './documentFacts.ts';

/**
 * Reads the facts of a page after its title, or of a reusable content. Visitors receive no conditional block
 * that the parser did not understand, because nobody can decide who may see it.
 */
export function factsOfText(markdown: string): DocumentFacts {
  const tree = parseDocument(markdown);
  return factsOf(tree, hasTagText(tree) ? parseDocument(withoutConditional(markdown)) : tree);
}
