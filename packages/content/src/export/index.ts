/**
 * Plans an export to a repository, without stores: `@bindery/content/export`. The process that connects to
 * foreign servers imports this entry point, because it must not contain the database driver.
 */
export { describeExport } from '../changes/describeExport.ts';
export { planExport, type ExportInput } from './planExport.ts';
export { planTexts } from './planTexts.ts';
export type { EditedText } from './editedTexts.ts';
export type * from './types.ts';
