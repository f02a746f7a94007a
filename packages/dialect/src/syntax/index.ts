/** CommonMark without a tree, and the title's heading of a page. Light: see `../index.ts`. */
export { markdownReader, maxInlineLength, plainText, unescaped } from './commonMark.ts';
export { isSameTitle, splitTitle, withoutTitle } from './splitTitle.ts';
