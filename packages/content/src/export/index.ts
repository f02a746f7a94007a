/**
 * What an export does to a repository, without stores: `@bindery/content/export`. The process that talks to strangers' servers imports this
 * face, because the database driver has no place in it.
 */
export { describeExport } from '../changes/describeExport.ts';
export { planExport, type ExportInput } from './planExport.ts';
export type * from './types.ts';
