import rehypeParse from 'rehype-parse';
import type { Options } from 'rehype-remark';
import { unified } from 'unified';

const parser = unified().use(rehypeParse, { fragment: false });

/** A page of HTML as a tree. */
export type Root = ReturnType<typeof parser.parse>;
export type Element = Parameters<NonNullable<NonNullable<Options['handlers']>[string]>>[1];
export type ElementContent = Element['children'][number];

/** Parses as browsers do. */
export function parseHtml(html: string): Root {
  return parser.parse(html);
}
