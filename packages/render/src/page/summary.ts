import { isElement } from './outline.ts';
import type { PageElement, PageNode } from './settle.ts';
import { isVisible, textOf } from './textOf.ts';

/** Search engines show about as much of a page. */
const mostCharacters = 160;
/** Of a longer text, the rest does not count: spaces, of which many become one. */
const mostRead = 1_000;

/** The classes of an author's elements. Others are labels, titles and descriptions of the platform. */
const ofAuthor: ReadonlySet<unknown> = new Set([undefined, 'center', 'end']);
const withText: ReadonlySet<string> = new Set(['li', 'td', 'dd']);

/**
 * Returns the start of a page's text: of its first paragraph, else of the first one inside a block, or of a
 * list or a table. Headings, code and notes do not count.
 *
 * @param nodes  of a settled page, before classes are added that are only for its looks
 * @returns at most 160 characters in one line, cut between words; undefined without such a text
 */
export function summaryOf(nodes: readonly PageNode[]): string | undefined {
  const paragraphs = nodes.filter((node) => isElement(node) && node.name === 'p');
  const text = firstText(paragraphs) ?? firstText(nodes);
  return text === undefined ? undefined : shortened(text);
}

function firstText(nodes: readonly PageNode[]): string | undefined {
  for (const node of nodes) {
    if (!isElement(node) || node.name === 'pre' || node.attributes.class === 'notes') continue;
    const isParagraph = node.name === 'p' && ofAuthor.has(node.attributes.class);
    const inside = isParagraph ? undefined : firstText(node.children);
    const found = inside ?? (isParagraph || withText.has(node.name) ? textIn(node) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textIn(node: PageElement): string | undefined {
  const text = textOf(node, isAside).slice(0, mostRead).replaceAll(/\s+/g, ' ').trim();
  return isVisible(text) ? text : undefined;
}

/** Classes of the number of a note, of the link in place of a missing picture, of labels and of boxes. */
const asides: ReadonlySet<unknown> = new Set(['note', 'picture-link', 'label', 'box', 'box done']);

function isAside({ attributes }: PageElement): boolean {
  return asides.has(attributes.class);
}

/** Cuts between words, in scripts without spaces too. */
function shortened(text: string): string {
  if (text.length <= mostCharacters) return text;
  const startOf = (granularity: 'word' | 'grapheme') =>
    new Intl.Segmenter('en', { granularity }).segment(text).containing(mostCharacters - 1)?.index;
  return `${text.slice(0, startOf('word') || startOf('grapheme')).trimEnd()}…`;
}
