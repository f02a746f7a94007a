import type { OrganizationRecord, SiteRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { loadLiveSpaces, type SpaceState } from '../site/shownTo.ts';
import { loadSiteTree, type SiteTree } from '../site/siteTree.ts';
import { createSharedLookUps } from './sharedLookUps.ts';

/** A site as it is now. `spaces` are those of its structure that are not deleted, by id. */
export type CurrentSite = {
  site: SiteRecord;
  organization: OrganizationRecord;
  tree: SiteTree;
  spaces: ReadonlyMap<string, SpaceState>;
};

/** The ids that an address led to the last time. */
type Ids = { organization: string; site: string };

/** Begins to load for the id of the last time; the result counts if the id proves to be the same. */
type Begin = <Result>(
  id: keyof Ids,
  load: (id: string) => Promise<Result>,
) => (id: string) => Promise<Result>;

type FindSite = (last: { begin: Begin }) => Promise<Pick<CurrentSite, 'site' | 'organization'> | undefined>;

/** By address. The limit is their size in bytes, about: below a proxy, a visitor can write long ones. */
const lastIds = new LRUCache<string, Ids>({
  maxSize: 4_000_000,
  sizeCalculation: (_ids, address) => 400 + address.length,
});

/**
 * The structures of sites by their ids; a change of one counts `structureVersion`. The limit applies to the
 * number of their parts. The lifetime bounds the mistake of a process of an earlier version, which did not
 * count all changes.
 */
const trees = new LRUCache<string, { version: number; tree: SiteTree }>({
  maxSize: 100_000,
  sizeCalculation: ({ tree }) => 1 + tree.groups.length + tree.sections.length + tree.siteSpaces.length,
  ttl: 60_000,
});

const share = createSharedLookUps();

/**
 * Finds the site at an address, with its organization, structure and spaces. An address that was asked for
 * before costs one round trip: all queries start at once, for the ids of the last time.
 *
 * @param find  the queries that lead to the site
 */
export async function findCurrentSite(address: string, find: FindSite): Promise<CurrentSite | undefined> {
  return share(address, async () => {
    const ids = lastIds.get(address);
    const begin = beginWith(ids);
    const spacesOf = begin('site', async (id) => {
      const known = trees.get(id);
      return known && { ...known, spaces: await loadLiveSpaces(known.tree.siteSpaces) };
    });
    const found = await find({ begin });
    if (!found) return undefined;
    const { site, organization } = found;
    lastIds.set(address, { organization: organization._id, site: site._id });
    const known = await spacesOf(site._id);
    if (known?.version === site.structureVersion)
      return { site, organization, tree: known.tree, spaces: known.spaces };
    const tree = await loadSiteTree(site._id);
    trees.set(site._id, { version: site.structureVersion, tree });
    return { site, organization, tree, spaces: await loadLiveSpaces(tree.siteSpaces) };
  });
}

function beginWith(ids: Ids | undefined): Begin {
  return (name, load) => {
    const early = ids && load(ids[name]);
    // Its failure counts only if its result does.
    early?.catch(() => undefined);
    return async (id) => (early && id === ids[name] ? early : load(id));
  };
}
