import { isConditionMet, type VisitorClaims } from '@bindery/dialect';
import {
  SiteSection,
  SiteSpace,
  Space,
  type SiteSectionRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { Visitor } from '../visitor/visitor.ts';

type Section = Pick<SiteSectionRecord, '_id' | 'condition'>;
type Variant = Pick<SiteSpaceRecord, 'condition' | 'section' | 'space'>;

/** The sections and site spaces that a visitor with these claims sees. Omits empty sections. */
export function shownTo<S extends Section, V extends Variant>(
  claims: VisitorClaims,
  { sections, siteSpaces }: { sections: readonly S[]; siteSpaces: readonly V[] },
): { sections: S[]; siteSpaces: V[] } {
  const isMet = ({ condition }: { condition?: string }) =>
    condition === undefined || isConditionMet(condition, claims);
  const open = new Set(sections.filter(isMet).map(({ _id }) => _id));
  const shown = siteSpaces.filter(
    (siteSpace) => isMet(siteSpace) && (siteSpace.section === undefined || open.has(siteSpace.section)),
  );
  const filled = new Set(shown.map(({ section }) => section));
  return { sections: sections.filter(({ _id }) => open.has(_id) && filled.has(_id)), siteSpaces: shown };
}

/** The site spaces whose space is not deleted. */
export async function withoutDeleted<V extends Variant>(siteSpaces: readonly V[]): Promise<V[]> {
  const live = await loadLiveSpaces(siteSpaces);
  return siteSpaces.filter(({ space }) => live.has(space));
}

/**
 * The current content of a space; `version` also changes with its other fields, `historyVersion` with what is
 * known of its pages in git.
 */
export type SpaceState = Pick<
  SpaceRecord,
  '_id' | 'revision' | 'version' | 'title' | 'language' | 'gitHistory' | 'syncedWith' | 'historyVersion'
> & {
  gitSync?: Pick<NonNullable<SpaceRecord['gitSync']>, 'url'>;
};

/** The spaces of these site spaces that are not deleted, by id. */
export async function loadLiveSpaces(siteSpaces: readonly Variant[]): Promise<Map<string, SpaceState>> {
  const filter = { _id: { $in: siteSpaces.map(({ space }) => space) }, isDeleted: false };
  const live = await Space.find(filter, {
    revision: 1,
    version: 1,
    title: 1,
    language: 1,
    gitHistory: 1,
    syncedWith: 1,
    historyVersion: 1,
    'gitSync.url': 1,
  }).lean<SpaceState[]>();
  return new Map(live.map((space) => [space._id, space]));
}

/**
 * Whether a visitor currently sees a space anywhere on the site. Removing a space, or adding a condition,
 * therefore takes effect at once.
 */
export async function isSpaceShown(
  spaceId: string,
  { site, claims }: Pick<Visitor, 'site' | 'claims'>,
): Promise<boolean> {
  const siteSpaces = await SiteSpace.find({ space: spaceId, site }).lean<SiteSpaceRecord[]>();
  const ids = siteSpaces.flatMap(({ section }) => section ?? []);
  const sections =
    ids.length > 0 ? await SiteSection.find({ _id: { $in: ids } }).lean<SiteSectionRecord[]>() : [];
  return shownTo(claims, { sections, siteSpaces }).siteSpaces.length > 0;
}
