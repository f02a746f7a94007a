import type { DocumentFacts } from '../references/documentFacts.ts';
import { factsOfText } from '../references/factsOfText.ts';
import { isQuickToParse } from './isQuick.ts';
import { runOnThread } from './parserThreads.ts';

/**
 * Reads the facts of texts, on another thread unless it is one that is quick to parse. Only the facts come
 * back, because copying the trees would take this thread a tenth of the time.
 *
 * @param organization  the owner of the texts
 * @returns the facts in the order of the texts; undefined for a text that took too long or too much memory
 */
export async function factsOnThread(
  texts: readonly string[],
  organization: string,
): Promise<(DocumentFacts | undefined)[]> {
  const [first] = texts;
  if (texts.length === 1 && first !== undefined && isQuickToParse(first)) return [factsOfText(first)];
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const facts = await runOnThread('factsOfTexts', texts, { organization, characters });
  if (facts) return facts;
  if (texts.length === 1) return [undefined];
  // One of them exceeded a limit: the others must not suffer for it.
  const apart: (DocumentFacts | undefined)[] = [];
  for (const text of texts) apart.push(...(await factsOnThread([text], organization)));
  return apart;
}
