import MarkdownIt, { type Env, type Token } from 'markdown-it';

/**
 * A block parser of CommonMark that leaves inline content unparsed, and an inline parser for selected
 * content.
 */
export type MarkdownReader = {
  /** Returns the block tokens of a text, and its reference definitions. */
  blocks(text: string): { tokens: Token[]; env: Env };
  /** Returns the inline tokens of one block's content. */
  inline(content: string, env?: Env): Token[];
};

/** Longer content is neither a title nor a navigation entry: inline markup can cost more than linear time. */
export const maxInlineLength = 3_000;

/**
 * Creates a reader with a maximum nesting level; markdown-it stops at the first deeper block. A list and its
 * item are a level each.
 */
export function markdownReader(maxNesting: number): MarkdownReader {
  const blockParser = new MarkdownIt('commonmark', { maxNesting });
  blockParser.core.ruler.enableOnly(['normalize', 'block']);
  const inlineParser = new MarkdownIt('commonmark', { maxNesting: 100 });
  for (const parser of [blockParser, inlineParser]) {
    // Returns all targets as written; the code that uses a URL validates it.
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

/** Removes backslash escapes and decodes character references, as in a link's target. */
export const unescaped: (text: string) => string = new MarkdownIt().utils.unescapeAll;

/**
 * Returns the visible text of inline content: no markup, no anchors, images as their alternative text; on one
 * line.
 */
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

/** In a title such as `List<T>`, CommonMark reads `<T>` as HTML, but its author meant the letters. */
function textOfHtml(html: string): string {
  if (/^<br[\s/>]/i.test(html)) return ' ';
  return knownTag.test(html) || !/^<\/?[a-z]/i.test(html) ? '' : html;
}
