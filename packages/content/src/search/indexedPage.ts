import type { IndexedPageRecord, IndexedSectionRecord } from '@bindery/models';
import { parseOnThread } from '../parser-threads/parseOnThread.ts';
import { parseForVisitors } from '../parser-threads/parseForVisitors.ts';
import { numberChains } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import { factsOf, type DocumentFacts } from '../references/documentFacts.ts';
import { specsShownIn } from '../openapi/specReader.ts';
import { withoutTitle } from '@bindery/dialect/syntax';
import { markdownOf } from '../store/documents.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { PlacedPage } from './changedPages.ts';
import { piecesOf, sectionsOf, type TextPiece } from './sectionsOf.ts';
import { maxWords, weighWords } from './weigh.ts';

/** Limits the time for parsing; readers do not search beyond that many bytes. */
const maxSourceBytes = 250_000;

type OnProblem = (error: unknown) => void;
type OnFacts = (facts: DocumentFacts) => void;
/** Replaces blocks that have no text of their own, such as operations of specifications. */
type Describe = (document: DocumentTree) => Promise<DocumentTree>;

/**
 * Builds the index records of a page: one, or several if its content depends on the visitor. None for a page
 * excluded from search.
 *
 * @param source     absent for a page without content
 * @param onProblem  receives the error of a page that could not be read, which is still found by its title
 * @param onFacts    receives the links and anchors of the page, which need no second reading then
 */
export async function indexedPage(
  { page, above }: PlacedPage,
  {
    organization,
    space,
    source,
    ...reading
  }: {
    organization: string;
    space: string;
    source: PageSource | undefined;
    describe: Describe;
    onProblem: OnProblem;
    onFacts: OnFacts;
  },
): Promise<IndexedPageRecord[]> {
  const { id, title, path, description } = page;
  if (page.noIndex) return [];
  const { all, forVisitors, specs } = source
    ? await readPieces(source, { title, organization, ...reading })
    : nothing;
  const conditions = [...above, page].flatMap(({ condition }) => condition ?? []);
  const own: Fields = {
    space,
    page: id,
    title,
    path,
    description,
    ancestors: above.map((one) => one.title),
    conditions: conditions.length > 0 ? conditions : undefined,
  };
  const sections = sectionsOf(all);
  // The words come before the texts, because a search reads only them in every page that has a word.
  const whole = {
    _id: `${space}:${id}`,
    ...own,
    specs: specs.length > 0 ? specs : undefined,
    words: weighWords({ title, description, sections }),
    sections,
  };
  if (all === forVisitors && all.every((piece) => piece.conditions.length === 0))
    return [{ ...whole, audience: 'everybody' }];
  return [{ ...whole, audience: 'members' }, ...partsForVisitors(forVisitors, { own, conditions })];
}

type Fields = Omit<IndexedPageRecord, '_id' | 'words' | 'sections'>;
type Pieces = { all: readonly TextPiece[]; forVisitors: readonly TextPiece[]; specs: string[] };
const nothing: Pieces = ofAll([]);

function ofAll(pieces: readonly TextPiece[], specs: string[] = []): Pieces {
  return { all: pieces, forVisitors: pieces, specs };
}

/**
 * The first record has the words that every visitor reads, and the sections of all; each further record has
 * the words on one chain of conditions.
 */
function partsForVisitors(
  pieces: readonly TextPiece[],
  { own, conditions }: { own: Fields; conditions: readonly string[] },
): IndexedPageRecord[] {
  const { chains, numberOf } = numberChains();
  const sections = pieces.flatMap(
    ({ id, title, lines, isContinued, conditions: blocks }): IndexedSectionRecord[] => {
      const chain = blocks.length === 0 ? undefined : numberOf(blocks);
      if (blocks.length > 0 && chain === undefined) return [];
      return [
        {
          id,
          title,
          text: lines.join('\n'),
          chain,
          isContinued: isContinued || undefined,
        },
      ];
    },
  );
  const on = (chain: number | undefined) => sections.filter((section) => section.chain === chain);
  const { space, page, title, description } = own;
  const first = {
    ...own,
    audience: 'visitors' as const,
    chains,
    words: weighWords({ title, description, sections: on(undefined) }),
    sections,
  };
  let room = maxWords - first.words.length;
  const others = chains.map((blocks, chain) => {
    const words = weighWords({ title: '', sections: on(chain) }).slice(0, Math.max(0, room));
    room -= words.length;
    return {
      ...own,
      audience: 'visitors' as const,
      conditions: [...conditions, ...blocks],
      words,
      sections: [],
    };
  });
  return [first, ...others].map((part, number) => ({ _id: `${space}:${page}:${number}`, ...part }));
}

async function readPieces(
  source: PageSource,
  {
    title,
    organization,
    describe,
    onProblem,
    onFacts,
  }: { title: string; organization: string; describe: Describe; onProblem: OnProblem; onFacts: OnFacts },
): Promise<Pieces> {
  try {
    const { body } = source;
    const isCut = body.length > maxSourceBytes;
    const markdown = markdownOf(isCut ? { ...source, body: body.subarray(0, maxSourceBytes) } : source);
    const rest = withoutTitle(markdown, title);
    const tree = await parseOnThread(rest, organization);
    const theirs = tree && (await parseForVisitors(rest, tree, organization));
    if (!theirs) onProblem(new Error('Reading the page exceeded its time limit.'));
    if (!tree) return nothing;
    if (theirs && !isCut) onFacts(factsOf(tree, theirs));
    const specs = [...specsShownIn(tree)];
    const pieces = async (of: DocumentTree) => piecesOf(specs.length === 0 ? of : await describe(of));
    const all = await pieces(tree);
    return theirs === tree
      ? ofAll(all, specs)
      : { all, forVisitors: theirs ? await pieces(theirs) : [], specs };
  } catch (error) {
    onProblem(error);
    return nothing;
  }
}
