/**
 * Reads the content of a space from a repository: `@bindery/dialect/repository-reader`. Light, like all entry
 * points except `@bindery/dialect` itself.
 */
export { coverFrom } from './coverFrom.ts';
export { type ContentOutline, readSpaceContent } from './readSpaceContent.ts';
export { rereadPage } from './rereadPage.ts';
