// Only the reader of the format: the rest of @bindery/content brings the database driver along, which has no place in this process.
export { readSpaceContent } from '../../../../packages/content/src/gitbook/readSpaceContent.ts';
export type { PageFacts, SpaceContent } from '../../../../packages/content/src/gitbook/types.ts';
