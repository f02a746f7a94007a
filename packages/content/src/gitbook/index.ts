/**
 * The repository format, without stores: `@bindery/content/gitbook`. A process that reads strangers' repositories imports this face,
 * because the database driver has no place in it.
 */
export { readSpaceContent } from './readSpaceContent.ts';
export { splitFrontmatter } from './splitFrontmatter.ts';
export type * from './types.ts';
