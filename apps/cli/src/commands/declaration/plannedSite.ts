import type { DeclaredSite } from './declaration.ts';

/** A site of the file, while what belongs to it is planned. */
export type PlannedSite = {
  name: string;
  declared: DeclaredSite;
  /** Absent for a site that is yet to be made. */
  id: string | undefined;
  /** The path of the site, once it is made. */
  path(): string;
};
