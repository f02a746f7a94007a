import type { Choice, Choices, MergedRevisions } from '@bindery/content';
import { ApiError, invalid, type MergeChangeRequest, type UpdateFromMainContent } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';

const taken = { 'change-request': 'theirs', main: 'ours', merged: 'merged' } as const;

/** The choices of a caller for a merge; undefined when its rules shall apply. */
export function choicesOf({
  resolutions,
  otherwise,
}: Pick<UpdateFromMainContent, 'resolutions' | 'otherwise'>): Choices | undefined {
  if (!resolutions && !otherwise) return undefined;
  const byId = (resolutions ?? []).map(({ conflict, take, text = '' }): [string, Choice] => [
    conflict,
    take === 'text' ? { text } : taken[take],
  ]);
  return { byId: new Map(byId), otherwise: otherwise && taken[otherwise] };
}

const listAgain =
  'List the conflicts again, and send the revisions of that list, with resolutions for its conflicts if any.';

/** @throws conflict when these are not the revisions that the caller has seen */
export function requireRevisions(
  seen: MergeChangeRequest['revisions'],
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', Pick<RevisionRecord, '_id'>>,
): void {
  if (!seen) return;
  const changed = [
    ...(seen.main === ours._id ? [] : [`of the main content (now ${ours._id})`]),
    ...(seen.changeRequest === theirs._id ? [] : [`of the change request (now ${theirs._id})`]),
    ...(seen.base === undefined || seen.base === base._id
      ? []
      : [`of their common ancestor (now ${base._id})`]),
  ];
  if (changed.length === 0) return;
  throw new ApiError('conflict', `There is a new revision ${changed.join(' and ')}. Nothing was changed.`, {
    action: listAgain,
  });
}

/** @throws invalid_request when a resolution fits no conflict, or a conflict has no resolution */
export function requireSettled({
  unfit: { unknown, withoutText },
  conflictCount,
}: Pick<MergedRevisions, 'unfit' | 'conflictCount'>): void {
  const [first] = unknown;
  if (first !== undefined)
    throw invalid('body.resolutions', `name ${first}, which is no conflict of these revisions. ${listAgain}`);
  const [untextual] = withoutText;
  if (untextual !== undefined)
    throw invalid(
      'body.resolutions',
      `give ${untextual} a text, or \`merged\`; it is not a block of a text. Take \`change-request\` or \`main\` for it.`,
    );
  if (conflictCount > 0)
    throw invalid(
      'body.resolutions',
      `leave ${conflictCount === 1 ? 'one conflict' : `${conflictCount} conflicts`} without a version. Name each of them, or choose a version for them with \`otherwise\`.`,
    );
}
