import { writeStableTarget } from '@bindery/dialect/links';
import type { PageItem } from '../store/items.ts';
import type { PageLookup } from '../tree/pageLookup.ts';

/**
 * Describes a page's position in Markdown: `in [Guide](/pages/abc), after [Setup](/pages/def)`; null if it is
 * not in the tree.
 */
export function describePlace(tree: PageLookup, id: string): string | null {
  const found = tree.page(id);
  if (!found) return null;
  const above = found.parent ? `in ${linkTo(found.parent)}` : 'at the top';
  const before = tree.list(found.parent?.id ?? null)[found.index - 1];
  return `${above}, ${before ? `after ${linkTo(before)}` : 'first'}`;
}

function linkTo({ id, title }: PageItem): string {
  return `[${escaped(title)}](/pages/${id})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}

/** Describes a page without a file in Markdown. */
export function describePage(page: PageItem): string {
  if (page.type === 'link')
    return `[${escaped(page.linkTitle ?? page.title)}](${writeStableTarget(page.target)})`;
  return `# ${page.title}`;
}

/** Describes the value of a field as a line of frontmatter; null without a value. */
export function describeField(field: string, value: unknown): string | null {
  if (value === undefined) return null;
  return `${field === 'condition' ? 'if' : field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
