import { ChangeRequest, type ChangeRequestRecord } from '@bindery/models';
import type { SpaceState } from '../site/shownTo.ts';

/** The change request whose content a preview shows in place of that of its space. */
export type ShownChangeRequest = Pick<ChangeRequestRecord, 'space' | 'number' | 'subject' | 'revision'>;

/** Finds the change request of a preview; undefined when it is gone, or its space is not among these. */
export async function findShownChangeRequest(
  id: string,
  spaces: ReadonlyMap<string, SpaceState>,
): Promise<ShownChangeRequest | undefined> {
  const fields = { space: 1, number: 1, subject: 1, revision: 1 };
  const found = await ChangeRequest.findById(id, fields).lean<ShownChangeRequest>();
  return found && spaces.has(found.space) ? found : undefined;
}

/** The spaces with the content of a change request in place of that of its space. */
export function withContentOf(
  { space, revision }: ShownChangeRequest,
  spaces: ReadonlyMap<string, SpaceState>,
): Map<string, SpaceState> {
  const shown = new Map(spaces);
  const state = spaces.get(space);
  if (state) shown.set(space, { ...state, revision });
  return shown;
}
