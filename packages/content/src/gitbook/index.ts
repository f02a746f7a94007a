/**
 * The repository format, without stores: `@bindery/content/gitbook`. A process that reads strangers' repositories imports this face,
 * because the database driver has no place in it.
 */
export type { NamedFile, PageFields } from './pageFields.ts';
export { readSpaceContent, type ContentOutline } from './readSpaceContent.ts';
export { rereadPage } from './rereadPage.ts';
export { scanPage } from './scanPage.ts';
export { splitFrontmatter } from './splitFrontmatter.ts';
export type * from './contentLimits.ts';
export type * from './frontmatterFields.ts';
export type * from './types.ts';
export type * from './warnings.ts';
