import {
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  type ClientSession,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
} from '@bindery/models';

/** The parts of a site, each kind in display order. */
export type SiteTree = {
  groups: SiteSectionGroupRecord[];
  /** Includes sections in groups, at the position of their group. */
  sections: SiteSectionRecord[];
  siteSpaces: SiteSpaceRecord[];
  /**
   * The place of a group, section or site space in the whole site, for compareCursors: later items compare
   * greater.
   */
  placeOf: (id: string) => readonly string[];
};

/** Reads the structure of a site: three queries, whatever its size. */
export async function loadSiteTree(siteId: string, session?: ClientSession): Promise<SiteTree> {
  const inSite = { site: siteId };
  const groups = SiteSectionGroup.find({ siblingsOf: siteId }).lean<SiteSectionGroupRecord[]>();
  const sections = SiteSection.find(inSite).lean<SiteSectionRecord[]>();
  const siteSpaces = SiteSpace.find(inSite).lean<SiteSpaceRecord[]>();
  // A transaction runs one operation at a time.
  if (session) {
    const found = [await groups.session(session), await sections.session(session)] as const;
    return inDisplayOrder(...found, await siteSpaces.session(session));
  }
  return inDisplayOrder(...(await Promise.all([groups, sections, siteSpaces])));
}

function inDisplayOrder(
  groups: SiteSectionGroupRecord[],
  sections: SiteSectionRecord[],
  siteSpaces: SiteSpaceRecord[],
): SiteTree {
  const places = new Map<string, readonly string[]>();
  const placeOf = (id: string) => places.get(id) ?? [];
  // Parents first, because the place of an item starts with that of its parent.
  for (const { _id, position, siblingsOf } of [...groups, ...sections, ...siteSpaces])
    places.set(_id, [...placeOf(siblingsOf), position]);
  const inOrder = (a: { _id: string }, b: { _id: string }) => compareCursors(placeOf(a._id), placeOf(b._id));
  return {
    groups: groups.toSorted(inOrder),
    sections: sections.toSorted(inOrder),
    siteSpaces: siteSpaces.toSorted(inOrder),
    placeOf,
  };
}

/** The positions that lead to an item, from the site on. */
type Place = readonly (string | number | boolean | null)[];

/** Compares the places of two items of one kind; positions sort by their bytes, as in MongoDB. */
export function compareCursors(a: Place, b: Place): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [left, right] = [String(a[i] ?? ''), String(b[i] ?? '')];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
