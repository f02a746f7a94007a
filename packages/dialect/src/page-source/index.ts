/** Changes the metadata, the title or the body of a page's file. Light: see `../index.ts`. */
export { markdownOfBlocks } from '../syntax/writeMarkdown.ts';
export { editFrontmatter } from './frontmatterEdit.ts';
export { type PageChanges, writePageSource } from './pageSource.ts';
