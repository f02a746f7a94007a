import MarkdownIt from 'markdown-it';
import { parse } from 'yaml';

const words = new Intl.Segmenter('en', { granularity: 'word' });

function separatorOf(type: string): string {
  return /^(?:strong|em|s|link)_/.test(type) ? '' : ' ';
}

/**
 * The runs of text of a Markdown page, as another parser reads it: without code, and with a letter each.
 * Those between the tags of HTML and the description of the frontmatter are among them.
 */
export function textsOfMarkdown(markdown: string): string[] {
  const [frontmatter = '', fields = ''] = /^---\n([^]*?)\n---\n/.exec(markdown) ?? [];
  const { description = '' } = (parse(fields) ?? {}) as { description?: string };
  const tokens = new MarkdownIt({ html: true, linkify: false }).parse(markdown.slice(frontmatter.length), {});
  const texts = tokens.flatMap(({ type, children, content: html }) => {
    // A link whose text is its target has no words.
    if (type === 'html_block') return html.replaceAll(/<a href="([^"]*)">\1<\/a>/g, '').split(/<[^>]*>/);
    if (type !== 'inline') return [];
    return (children ?? [])
      .map(({ type: kind, content }) => (kind === 'text' ? content : separatorOf(kind)))
      .join('');
  });
  return [description, ...texts].filter((text) => /\p{L}/u.test(text));
}

export function countWordsOf(texts: readonly string[]): number {
  return texts.reduce(
    (sum, text) => sum + [...words.segment(text)].filter((part) => part.isWordLike).length,
    0,
  );
}
