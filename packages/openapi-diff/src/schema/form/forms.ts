import type { Located } from '../../engine/document.ts';
import { homeOf, type SchemaForm } from './schemaForm.ts';

/** A schema before and after, in the form that is compared. */
export type Forms = { before: SchemaForm; after: SchemaForm };

/** The same before and after normalization: as its document spells it. */
export type LocatedPair = { before: Located; after: Located };

/** Returns the pointers at which a finding about a keyword is reported. */
export function homes({ before, after }: Forms, keyword: string): { before: string; after: string } {
  return { before: homeOf(before, keyword), after: homeOf(after, keyword) };
}
