import rehypeParse from 'rehype-parse';
import type { Options } from 'rehype-remark';
import { unified } from 'unified';

export const htmlParser = unified().use(rehypeParse, { fragment: false });

/** A page of HTML as a tree. */
export type Root = ReturnType<typeof htmlParser.parse>;
export type Element = Parameters<NonNullable<NonNullable<Options['handlers']>[string]>>[1];
export type ElementContent = Element['children'][number];
