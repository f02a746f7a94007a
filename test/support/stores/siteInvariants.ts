import {
  Site,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  type SiteRecord,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
} from '@bindery/models';
import { findSiteByUrl } from '@bindery/publishing';
import { expect } from 'vitest';

/**
 * Asserts the invariants of a site's records: exactly one default in each place, distinct siblings, no
 * leftovers. Also that visits see all changes since the last call: they keep the structure by its version.
 */
export async function expectWholeSite(siteId: string): Promise<void> {
  const site = await Site.findById(siteId).lean<SiteRecord>();
  const sections = await SiteSection.find({ site: siteId }).lean<SiteSectionRecord[]>();
  const groups = await SiteSectionGroup.find({ site: siteId }).lean<SiteSectionGroupRecord[]>();
  const siteSpaces = await SiteSpace.find({ site: siteId }).lean<SiteSpaceRecord[]>();
  const idsOf = (records: { _id: string }[]) => records.map(({ _id }) => _id);
  const inPlace = (place: string) => siteSpaces.filter(({ siblingsOf }) => siblingsOf === place);

  if (!site) {
    expect([sections, groups, siteSpaces], 'a deleted site leaves nothing').toEqual([[], [], []]);
    return;
  }
  expect(site.siteSpaces, 'the number of site spaces').toBe(siteSpaces.length);
  for (const { section, siblingsOf } of siteSpaces) {
    expect(siblingsOf).toBe(section ?? siteId);
    if (section !== undefined) expect(idsOf(sections)).toContain(section);
  }
  for (const { group, siblingsOf } of sections) {
    expect(siblingsOf).toBe(group ?? siteId);
    if (group !== undefined) expect(idsOf(groups)).toContain(group);
  }
  if (sections.length > 0) {
    expect(inPlace(siteId), 'site spaces at the root beside sections').toEqual([]);
    expect(site.defaultSiteSpace).toBeUndefined();
    expect(idsOf(sections)).toContain(site.defaultSection);
  } else {
    expect(site.defaultSection).toBeUndefined();
  }
  for (const { _id, defaultSiteSpace } of sections.length > 0 ? sections : [site]) {
    const own = idsOf(inPlace(_id));
    if (own.length > 0) expect(own).toContain(defaultSiteSpace);
    else expect(defaultSiteSpace, 'the default of an empty place').toBeUndefined();
  }
  expectApart(sections.map(({ path }) => path));
  for (const siblings of Map.groupBy(siteSpaces, ({ siblingsOf }) => siblingsOf).values()) {
    expectApart(siblings.map(({ path }) => path));
    expectApart(siblings.map(({ space }) => space));
    expectApart(siblings.map(({ position }) => position));
  }
  for (const siblings of Map.groupBy([...sections, ...groups], ({ siblingsOf }) => siblingsOf).values())
    expectApart(siblings.map(({ position }) => position));
  await expectVisited(site, { groups, sections, siteSpaces });
}

/** Asserts that a visit, in a process that kept the structure before, sees these parts. */
async function expectVisited(
  { organization, basename }: SiteRecord,
  parts: Record<'groups' | 'sections' | 'siteSpaces', { _id: string }[]>,
): Promise<void> {
  const origin = 'http://sites.test';
  const url = new URL(`${origin}/${organization}/${encodeURIComponent(basename)}`);
  const visited = await findSiteByUrl(url, { appUrl: origin, sitesUrl: origin });
  const byId = (records: readonly { _id: string }[]) => records.toSorted((a, b) => (a._id < b._id ? -1 : 1));
  for (const kind of ['groups', 'sections', 'siteSpaces'] as const)
    expect(byId(visited?.tree[kind] ?? []), `the ${kind} of a visit`).toEqual(byId(parts[kind]));
}

function expectApart(values: string[]): void {
  expect(values.toSorted()).toEqual([...new Set(values)].toSorted());
}
