import { invalid, type ContentPointer, type MoveContent } from '@bindery/contract';
import {
  Collection,
  siblingModels,
  Space,
  type ClientSession,
  type CollectionRecord,
  type MemberRecord,
  type SpaceRecord,
} from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';
import { positionFor } from '../../input/position.ts';

/**
 * The position of a moved collection or space in the order `siblingsOf`; undefined when it does not change.
 *
 * @throws invalid_request when a neighbour is not in that order, is not of the given kind, or is not visible
 *   to the member
 */
export async function contentPosition(
  {
    moved,
    siblingsOf,
    member,
  }: { moved: CollectionRecord | SpaceRecord; siblingsOf: string; member: MemberRecord },
  position: NonNullable<MoveContent['position']>,
  session: ClientSession,
): Promise<string | undefined> {
  for (const name of ['before', 'after'] as const) {
    const pointer = position[name];
    if (!pointer || (await isVisible(pointer, member, session))) continue;
    throw invalid(`body.position.${name}`, 'is not another item at the destination of the move.');
  }
  const { before, after } = position;
  return positionFor({
    models: siblingModels,
    siblingsOf,
    moved,
    before: before && idOf(before),
    after: after && idOf(after),
    session,
  });
}

async function isVisible(
  pointer: ContentPointer,
  member: MemberRecord,
  session: ClientSession,
): Promise<boolean> {
  const filter = { _id: idOf(pointer), organization: member.organization, ...visibleTo(member) };
  const found =
    pointer.type === 'space' ? Space.exists({ ...filter, isDeleted: false }) : Collection.exists(filter);
  return (await found.session(session)) !== null;
}

function idOf(pointer: ContentPointer): string {
  return pointer.type === 'space' ? pointer.space : pointer.collection;
}
