/** Writes a page's file with other metadata, another title or another body. Light: see `../index.ts`. */
export { markdownOfBlocks } from '../syntax/writeMarkdown.ts';
export { editFrontmatter } from './frontmatterEdit.ts';
export { type PageChanges, writePageSource } from './pageSource.ts';
