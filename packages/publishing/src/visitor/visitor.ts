import type { Questions } from '@bindery/dialect';
import type { SpaceRecord } from '@bindery/models';

/**
 * A reader of a published site, identified by the content token that resolving its URL returned. May only
 * read, and only content that the site shows.
 *
 * `claims` are the known facts about the visitor, reduced to the site's adaptive schema.
 */
export type Visitor = {
  organization: string;
  site: string;
  claims: Record<string, unknown>;
  /** An anonymous visitor: without claims, on a published site that is open to everyone. */
  isAnybody: boolean;
  /** A preview: the visitor sees the site as it will be, published or not. */
  isPreview: boolean;
  /**
   * Whether the site still admits the visitor under the terms of the token. If not, the site and its spaces
   * do not exist for them.
   */
  isAdmitted: boolean;
  /**
   * Collects the questions whose outcomes decide what the visitor sees, for those who keep it for visitors
   * with the same outcomes. Absent when nobody does.
   */
  questions?: Questions;
};

/**
 * The reader of content: a visitor of a site, or a member of the organization, who sees everything in a space
 * that it may open. `seesIn` tells which other spaces of an organization it may open.
 */
export type ContentReader =
  | { visitor: Visitor }
  | {
      visitor?: undefined;
      seesIn: (organization: string) => Promise<(space: SpaceRecord) => boolean>;
    };
