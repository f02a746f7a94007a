import MarkdownIt from 'markdown-it';

const words = new Intl.Segmenter('en', { granularity: 'word' });

function separatorOf(type: string): string {
  return /^(?:strong|em|s|link)_/.test(type) ? '' : ' ';
}

/** The runs of text of a Markdown page, as another parser reads it: without code, and with a letter each. */
export function textsOfMarkdown(markdown: string): string[] {
  const inlines = new MarkdownIt({ html: true, linkify: false })
    .parse(markdown, {})
    .filter(({ type }) => type === 'inline');
  return inlines
    .map(({ children }) =>
      (children ?? []).map(({ type, content }) => (type === 'text' ? content : separatorOf(type))).join(''),
    )
    .filter((text) => /\p{L}/u.test(text));
}

export function countWordsOf(texts: readonly string[]): number {
  return texts.reduce(
    (sum, text) => sum + [...words.segment(text)].filter((part) => part.isWordLike).length,
    0,
  );
}
