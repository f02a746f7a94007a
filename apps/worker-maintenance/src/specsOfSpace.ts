import { findLatestVersions, specsShownIn, type SpecVersion } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import { Member, rankOf, type SpaceRecord } from '@bindery/models';

/**
 * Returns a function that finds the specifications of a document whose text search may show to all readers of
 * a space. Each is looked up once.
 *
 * A guest does not see a private specification for naming it where it may write. So a space where guests may
 * write shows only public ones; one in which they get that right later has no page of theirs so far.
 */
export function openSpecsOfSpace(
  space: Pick<SpaceRecord, 'organization' | 'access'>,
): (document: DocumentTree) => Promise<ReadonlyMap<string, SpecVersion>> {
  const known = new Map<string, SpecVersion | undefined>();
  let visible: Promise<object> | undefined;
  return async (document) => {
    const names = specsShownIn(document);
    const fresh = [...names].filter((name) => !known.has(name));
    if (fresh.length > 0) {
      visible ??= mayGuestsWrite(space).then((they) => (they ? { visibility: 'public' } : {}));
      const found = await findLatestVersions(space.organization, fresh, await visible);
      for (const name of fresh) known.set(name, found.get(name));
    }
    return new Map(
      [...names].flatMap((name): [string, SpecVersion][] => {
        const version = known.get(name);
        return version ? [[name, version]] : [];
      }),
    );
  };
}

async function mayGuestsWrite({
  organization,
  access,
}: Pick<SpaceRecord, 'organization' | 'access'>): Promise<boolean> {
  const writers = access.grants.filter(({ role }) => rankOf(role) >= rankOf('edit')).map(({ to }) => to);
  if (writers.length === 0) return false;
  const isWriter = { $or: [{ user: { $in: writers } }, { 'teams.team': { $in: writers } }] };
  return (await Member.exists({ organization, role: null, ...isWriter })) !== null;
}
