import { forbidden, notFound, type Role } from '@bindery/contract';
import { Space, type MemberRecord, type SpaceRecord, type TranslationRecord } from '@bindery/models';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { spacePermissions } from '../../permissions/space.ts';

/**
 * A filter for translations whose source a member may see.
 *
 * Most members see most spaces, so the filter excludes the others. For a guest it lists the visible spaces.
 */
export async function ofVisibleSources(member: MemberRecord): Promise<object> {
  const { organization } = member;
  const visible = visibleTo(member);
  const readers = visible['access.readers'];
  if (!readers) return {};
  if (member.role === null)
    return { 'source.space': { $in: await Space.distinct('_id', { organization, ...visible }) } };
  const closed = await Space.distinct('_id', { organization, 'access.readers': { $nin: readers.$in } });
  return closed.length > 0 ? { 'source.space': { $nin: closed } } : {};
}

/**
 * A filter for translations from or into a space. A member who may not see the space is not told what it is
 * the result of.
 */
export async function ofSpace(space: string, member: MemberRecord): Promise<object> {
  const { organization } = member;
  const fromSpace = { organization, 'source.space': space };
  const seesSpace = await Space.exists({ _id: space, organization, ...visibleTo(member) });
  return seesSpace ? { $or: [fromSpace, { organization, 'result.space': space }] } : fromSpace;
}

/**
 * Whether a member may see a translation. Translations of a purged source are visible to all members except
 * guests.
 */
export async function seesTranslation(
  { source }: Pick<TranslationRecord, 'source'>,
  member: MemberRecord,
): Promise<boolean> {
  const space = await Space.findById(source.space, { access: 1 }).lean<Pick<SpaceRecord, 'access'>>();
  return space ? roleInContent({ member, access: space.access }) !== null : member.role !== null;
}

/** The translations whose result the member may see; a result can be closed although its source is open. */
export async function findVisibleResults(
  translations: readonly TranslationRecord[],
  member: MemberRecord,
): Promise<ReadonlySet<string>> {
  const results = translations.map(({ result }) => result.space);
  return new Set(
    await Space.distinct('_id', {
      _id: { $in: results },
      organization: member.organization,
      ...visibleTo(member),
    }),
  );
}

/**
 * The member's role in the result of a translation; null for a result that the member may not see: nobody
 * sees a deleted one.
 */
export async function roleInResult(
  { result }: TranslationRecord,
  member: MemberRecord,
): Promise<Role | null> {
  const { space: id } = result;
  const found = { _id: id, organization: member.organization, isDeleted: false };
  const space = await Space.findOne({ ...found, ...visibleTo(member) }, { access: 1 }).lean<
    Pick<SpaceRecord, 'access'>
  >();
  return space && roleInContent({ member, access: space.access, id });
}

/** @throws not_found when the member may not see the texts of a translation's result */
export async function requireResult(translation: TranslationRecord, member: MemberRecord): Promise<void> {
  if ((await roleInResult(translation, member)) === null) throw notFound('space', translation.result.space);
}

/**
 * Requires that the caller may edit the result of a translation.
 *
 * @param resultRole  of the caller, as `roleInResult` returns it
 * @throws not_found when the caller may not see the result; forbidden when it may not edit the result
 */
export function requireEditOfResult({ result }: TranslationRecord, resultRole: Role | null): void {
  if (resultRole === null) throw notFound('space', result.space);
  if (!spacePermissions({ role: resultRole }).edit) throw forbidden('space.edit');
}
