import MarkdownIt, { type Env, type Token } from 'markdown-it';

/** A block parser of CommonMark whose inline content stays unread, and a reader for the few inline contents that matter. */
export type MarkdownReader = {
  /** The block tokens of a text and the reference definitions in it. */
  blocks(text: string): { tokens: Token[]; env: Env };
  /** The inline tokens of one block's content. */
  inline(content: string, env?: Env): Token[];
};

/** Longer content is no title and no entry of a navigation: inline markup can cost more than linear time. */
export const maxInlineLength = 3_000;

/**
 * Levels that a text may nest; markdown-it stops reading at the first block beyond.
 * A list and its item are a level each.
 */
export function markdownReader(maxNesting: number): MarkdownReader {
  const blockParser = new MarkdownIt('commonmark', { maxNesting });
  blockParser.core.ruler.enableOnly(['normalize', 'block']);
  const inlineParser = new MarkdownIt('commonmark', { maxNesting: 100 });
  for (const parser of [blockParser, inlineParser]) {
    // Targets are wanted as they were written, and every one of them: what may be done with a URL is decided where it is used.
    parser.normalizeLink = (url) => url;
    parser.normalizeLinkText = (url) => url;
    parser.validateLink = () => true;
  }

  return {
    blocks(text) {
      const env: Env = {};
      return { tokens: blockParser.parse(text, env), env };
    },
    inline(content, env = {}) {
      const tokens: Token[] = [];
      inlineParser.inline.parse(content, inlineParser, env, tokens);
      return tokens;
    },
  };
}

/** A text with backslash escapes and character references undone, as in a link's target. */
export const unescaped: (text: string) => string = new MarkdownIt().utils.unescapeAll;

/** What a reader sees of inline content: no markup, no anchors, images as their alternative text; on one line. */
export function plainText(tokens: readonly Token[]): string {
  return textOfTokens(tokens).trim();
}

function textOfTokens(tokens: readonly Token[]): string {
  let text = '';
  for (const token of tokens) {
    if (token.type === 'softbreak' || token.type === 'hardbreak') text += ' ';
    else if (token.type === 'image') text += textOfTokens(token.children ?? []);
    else if (token.type === 'html_inline') text += textOfHtml(token.content);
    else text += token.content;
  }
  return text;
}

const knownTag =
  /^<\/?(?:a|abbr|b|big|br|button|cite|code|del|div|em|figure|font|i|img|ins|kbd|mark|p|picture|q|s|samp|small|source|span|strike|strong|sub|sup|svg|u|var|video|wbr)(?=[\s/>])/i;

/** `<T>` in a title such as `List<T>` is CommonMark's HTML, but its author meant the letters. */
function textOfHtml(html: string): string {
  if (/^<br[\s/>]/i.test(html)) return ' ';
  return knownTag.test(html) || !/^<\/?[a-z]/i.test(html) ? '' : html;
}
