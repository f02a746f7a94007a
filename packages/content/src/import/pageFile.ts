import { toMarkdown } from 'mdast-util-to-markdown';
import { stringify } from 'yaml';
import { scanPage } from '@bindery/dialect/repository-format';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';

const maxTitleLength = 200;

/** Builds a page's file from its parts, for content that was not Markdown: frontmatter, heading, text. */
export function pageFile({
  title,
  description,
  body,
}: {
  title: string;
  description?: string | undefined;
  body: string;
}): string {
  const frontmatter = description ? `---\n${stringify({ description }, { lineWidth: 0 })}---\n\n` : '';
  return `${frontmatter}${headingOf(title)}${body.trim() === '' ? '' : `\n${body.trim()}\n`}`;
}

/** Returns the file with a heading: its own one, or the page's title. */
export function withHeading(file: string, { label, title }: { label?: string; title: string }): string {
  const bytes = new TextEncoder().encode(file);
  const { h1, frontmatter } = scanPage(bytes);
  if (h1 !== undefined) return file;
  const { frontmatter: front, body } = splitFrontmatter(bytes);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const rest = decoder.decode(body).replace(/^\s*\n/, '');
  return `${decoder.decode(front)}${headingOf(label ?? frontmatter?.title ?? title)}${rest === '' ? '' : `\n${rest}`}`;
}

/** Converts a text to a title: one line of limited length. */
export function titleOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxTitleLength ? `${line.slice(0, maxTitleLength - 1).trimEnd()}…` : line;
}

function headingOf(title: string): string {
  const text = titleOf(title) || 'Untitled';
  return toMarkdown({ type: 'heading', depth: 1, children: [{ type: 'text', value: text }] });
}
