import rehypeParse from 'rehype-parse';
import type { Options } from 'rehype-remark';
import { unified } from 'unified';

export const htmlParser = unified().use(rehypeParse, { fragment: false });

/** The tree of an HTML page. */
export type Root = ReturnType<typeof htmlParser.parse>;
export type Element = Parameters<NonNullable<NonNullable<Options['handlers']>[string]>>[1];
export type ElementContent = Element['children'][number];
