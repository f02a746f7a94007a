import type { IndexedPageRecord, IndexedSectionRecord } from '@bindery/models';
import { parseAside } from '../aside/parseAside.ts';
import { splitTitle } from '../document/splitTitle.ts';
import { markdownOf, type PageSource } from '../store/documents.ts';
import type { PlacedPage } from './changedPages.ts';
import { sectionsOf } from './sectionsOf.ts';
import { weighWords } from './weigh.ts';

/** Parsing takes time for each byte, and readers do not look for what stands behind that many. */
const maxSourceBytes = 250_000;

/**
 * A page as the index keeps it; undefined for one that shall not be found.
 *
 * @param source     absent for a page without content
 * @param onProblem  hears of a page that could not be read; it is found by its title all the same
 */
export async function indexedPage(
  { page, above }: PlacedPage,
  { organization, space, source, onProblem }: { organization: string; space: string; source: PageSource | undefined; onProblem: (error: unknown) => void },
): Promise<IndexedPageRecord | undefined> {
  const { id, title, path, description } = page;
  if (page.noIndex) return undefined;
  const sections = source ? await readSections(source, { organization, onProblem }) : [];
  const conditions = [...above, page].flatMap(({ condition }) => condition ?? []);
  return {
    _id: `${space}:${id}`,
    space,
    page: id,
    title,
    path,
    ...(description !== undefined && { description }),
    ancestors: above.map((one) => one.title),
    ...(conditions.length > 0 && { conditions }),
    // In front of the texts: a search looks at these alone, in every page that has a word.
    words: weighWords({ title, description, sections }),
    sections,
  };
}

async function readSections(
  source: PageSource,
  { organization, onProblem }: { organization: string; onProblem: (error: unknown) => void },
): Promise<IndexedSectionRecord[]> {
  try {
    const { body } = source;
    const markdown = markdownOf(body.length > maxSourceBytes ? { ...source, body: body.subarray(0, maxSourceBytes) } : source);
    const tree = await parseAside(splitTitle(markdown).rest, organization);
    if (tree) return sectionsOf(tree);
    onProblem(new Error('Reading the page took too long.'));
    return [];
  } catch (error) {
    onProblem(error);
    return [];
  }
}
