import { ApiError } from '@bindery/contract';
import {
  Collection,
  Space,
  type ClientSession,
  type CollectionRecord,
  type MemberRecord,
} from '@bindery/models';
import { grantedTo, notAdministeredBy } from '../../permissions/access.ts';

/** Maximum count of each kind of object in an answer. */
const maxCounted = 1_000;

/**
 * Requires that a member is an admin of all content below a collection, at any depth, because a grant applies
 * below and a transfer moves everything. The level of the collection alone makes nobody an admin of content
 * that is closed or has its own level.
 *
 * @throws forbidden with the number of spaces and collections of which the member is not an admin; deleted
 *   spaces count, because they can be restored
 */
export async function requireAdminBelow(
  { _id, access }: Pick<CollectionRecord, '_id' | 'access'>,
  member: MemberRecord,
  session: ClientSession | null = null,
): Promise<void> {
  // Both roles apply to all content below.
  if (member.role === 'admin' || grantedTo(member, access) === 'admin') return;
  const inTheWay = { ancestors: _id, ...notAdministeredBy(member) };
  const limit = maxCounted + 1;
  const spaces = await Space.countDocuments(inTheWay, { limit }).session(session);
  const collections = await Collection.countDocuments(inTheWay, { limit }).session(session);
  if (spaces + collections === 0) return;
  const counted = [numberOf(spaces, 'space'), numberOf(collections, 'collection')]
    .filter((count) => count !== undefined)
    .join(' and ');
  throw new ApiError(
    'forbidden',
    `You are not an admin of everything below the collection: it contains ${counted} that you do not administer, including deleted ones.`,
    {
      action: 'Ask an admin of the organization to do it, or to make you their admin.',
    },
  );
}

function numberOf(count: number, kind: 'space' | 'collection'): string | undefined {
  if (count === 0) return undefined;
  if (count === 1) return `1 ${kind}`;
  return count > maxCounted ? `more than ${maxCounted} ${kind}s` : `${count} ${kind}s`;
}
