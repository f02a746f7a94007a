import { invalid } from '@bindery/contract';
import {
  positionAtEnd,
  positionBetween,
  type ClientSession,
  type Sibling,
  type SiblingModel,
} from '@bindery/models';

export type Move = {
  /** The kinds of records that share the order. */
  models: readonly SiblingModel[];
  /** The parent whose order the item moves into. */
  siblingsOf: string;
  moved: Sibling;
  /** Id of the sibling that must follow, and of the one that must precede. */
  before?: string | undefined;
  after?: string | undefined;
  session: ClientSession;
};

/**
 * Computes the position for a move: directly before `before`, directly after `after`, or between them.
 * Without either it is the end of the new order, or the present position when the order stays the same.
 *
 * @returns undefined when nothing would change
 * @throws invalid_request when a neighbour is not another item of that order, or the two are not adjacent
 */
export async function positionFor(move: Move): Promise<string | undefined> {
  const { models, siblingsOf, moved, before, after, session } = move;
  const staysInOrder = moved.siblingsOf === siblingsOf;
  if (before === undefined && after === undefined)
    return staysInOrder ? undefined : positionAtEnd(models, siblingsOf, session);
  const right = before === undefined ? undefined : await findSibling(move, { id: before, name: 'before' });
  const left = after === undefined ? undefined : await findSibling(move, { id: after, name: 'after' });
  const next = left && (await neighbourOf(move, left, 1));
  if (left && right && next?._id !== right._id) {
    throw invalid(
      'body.position',
      'names two items that are not next to each other in that order, `after` before `before`.',
    );
  }
  const start = left ?? (right && (await neighbourOf(move, right, -1)));
  const end = right ?? next;
  const isThere =
    staysInOrder && (!start || start.position < moved.position) && (!end || moved.position < end.position);
  return isThere ? undefined : positionBetween(start?.position, end?.position);
}

async function findSibling(
  { models, siblingsOf, moved, session }: Move,
  { id, name }: { id: string; name: string },
): Promise<Sibling> {
  if (id !== moved._id) {
    for (const model of models) {
      const found = await model
        .findOne({ _id: id, siblingsOf, ...withoutDeleted(model) }, siblingFields)
        .session(session)
        .lean<Sibling>();
      if (found) return found;
    }
  }
  throw invalid(`body.position.${name}`, 'is not another item at the destination of the move.');
}

async function neighbourOf(
  { models, siblingsOf, moved, session }: Move,
  of: Sibling,
  direction: 1 | -1,
): Promise<Sibling | undefined> {
  let nearest: Sibling | undefined;
  for (const model of models) {
    const found = await model
      .findOne(
        {
          siblingsOf,
          position: { [direction === 1 ? '$gt' : '$lt']: of.position },
          _id: { $ne: moved._id },
          ...withoutDeleted(model),
        },
        siblingFields,
      )
      .sort({ position: direction })
      .session(session)
      .lean<Sibling>();
    if (
      found &&
      (!nearest || (direction === 1 ? found.position < nearest.position : found.position > nearest.position))
    )
      nearest = found;
  }
  return nearest;
}

/**
 * Filters deleted records out. Only some models have the field, and a query may use only fields of its model.
 */
function withoutDeleted(model: SiblingModel): { isDeleted?: object } {
  return model.schema.path('isDeleted') ? { isDeleted: { $ne: true } } : {};
}

const siblingFields = { siblingsOf: 1, position: 1 };
