import { markdownReader, maxInlineLength, plainText } from '../syntax/commonMark.ts';

/** A page made of a part of the description of a specification. */
export type InfoPage = { id: string; title: string; markdown: string; pages: InfoPage[] };

const reader = markdownReader(20);
/** A description with more headings is a book of its own. */
const maxPages = 1_000;

/**
 * Splits the description of a specification at its headings of the first and second level: a page for each of
 * the first, with the pages of the second below it. Text before the first heading is left out, as GitBook
 * does.
 */
export function splitInfo(description: string): InfoPage[] {
  const lines = description.split(/\r\n?|\n/);
  const { tokens } = reader.blocks(lines.join('\n'));
  const headings = tokens.flatMap((token, index) => {
    const isSplit = token.type === 'heading_open' && token.level === 0 && /^h[12]$/.test(token.tag);
    if (!isSplit || !token.map) return [];
    const content = tokens[index + 1]?.content.slice(0, maxInlineLength) ?? '';
    return [{ level: token.tag, map: token.map, title: plainText(reader.inline(content)) }];
  });
  const pages: InfoPage[] = [];
  let siblings = pages;
  for (const [index, { level, map, title }] of headings.slice(0, maxPages).entries()) {
    const page: InfoPage = {
      id: `info-${index}`,
      title,
      markdown: lines
        .slice(map[1], headings[index + 1]?.map[0])
        .join('\n')
        .trim(),
      pages: [],
    };
    if (level === 'h1') {
      pages.push(page);
      siblings = page.pages;
    } else siblings.push(page);
  }
  return pages;
}

/** Lists pages with those below them, each before its own. */
export function* allInfoPages(pages: readonly InfoPage[]): Generator<InfoPage> {
  for (const page of pages) {
    yield page;
    yield* allInfoPages(page.pages);
  }
}
