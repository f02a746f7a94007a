import { isConditionMet, type VisitorClaims } from '@bindery/dialect';
import { loadPageIndex, type FoundPage, type PageIndex } from '@bindery/content';
import {
  Revision,
  Space,
  type OrganizationRecord,
  type RevisionRecord,
  type SiteRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { Visitor } from '../visitor/visitor.ts';
import type { AppLinks } from '../site/appLinks.ts';
import type { SiteTree } from '../site/siteTree.ts';

/** A site as its reader sees it, and the content of its spaces, each loaded once. */
export type SiteContext = {
  links: AppLinks;
  organization: OrganizationRecord;
  site: SiteRecord;
  tree: SiteTree;
  /** The main content of a site space; undefined when the space is deleted or the member may not read it. */
  contentOf: (siteSpace: Pick<SiteSpaceRecord, 'space'>) => Promise<SpaceContent | undefined>;
  isShown: (found: FoundPage) => boolean;
  shareKey?: string | undefined;
};

export type SpaceContent = { revision: RevisionRecord; pages: () => Promise<PageIndex> };

export function siteContext({
  mayRead = () => true,
  visitor,
  ...parts
}: Pick<SiteContext, 'links' | 'organization' | 'site' | 'tree' | 'shareKey'> & {
  /** Whether a member may read this space; absent for visitors, who read every space of the tree. */
  mayRead?: (space: SpaceRecord) => boolean;
  visitor?: Visitor | undefined;
}): SiteContext {
  const contents = new Map<string, Promise<SpaceContent | undefined>>();
  const load = async (spaceId: string): Promise<SpaceContent | undefined> => {
    const space = await Space.findOne({ _id: spaceId, isDeleted: false }).lean<SpaceRecord>();
    if (!space || !mayRead(space)) return undefined;
    const revision = await Revision.findOne({ _id: space.revision, space: spaceId }).lean<RevisionRecord>();
    return revision
      ? { revision, pages: async () => loadPageIndex(revision.organization, revision.pages) }
      : undefined;
  };
  return {
    ...parts,
    contentOf: async ({ space }) => {
      const known = contents.get(space) ?? load(space);
      contents.set(space, known);
      return known;
    },
    isShown: ({ page, ancestors }) =>
      !visitor || [...ancestors, page].every((each) => isMet(each, visitor.claims)),
  };
}

function isMet(page: object, claims: VisitorClaims): boolean {
  const { condition } = page as { condition?: string };
  return condition === undefined || isConditionMet(condition, claims);
}
