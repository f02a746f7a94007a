import { ApiError } from '@bindery/contract';
import { databaseNow, JobLimit, jobLimitId, Organization, type JobLimitRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';
import { definedKinds } from '../definitions/defineJob.ts';
import { removeLimit, storeLimit } from '../state/limits.ts';
import { audited } from './audited.ts';
import { listKindStates } from './inspect.ts';

/** The scope of a limit: a kind in each process, of each organization, or of the organization named here. */
export type LimitPlace = Pick<JobLimitRecord, 'kind' | 'per' | 'organization'>;

const largest = 1_000;
/** Each worker reads all of them, once a second while it starts jobs. */
const mostLimits = 500;

type Acting = { operator: string; logger?: Logger | undefined };

/**
 * Limits how many jobs of a kind run at once, for all workers and without a restart; leaves a record of it.
 *
 * @param text  the number: 1 to 1000, for one organization also 0
 * @throws ApiError invalid_request, not_found or conflict, whose messages say what to do
 */
export async function setLimit(place: LimitPlace, text: string, acting: Acting): Promise<void> {
  const limit = Number(text);
  const target = `${describeLimit(place)}: ${text.slice(0, 20)}`;
  const act = async () => {
    await requirePlace(place);
    requireLimit(place, text);
    const others = await JobLimit.countDocuments({ _id: { $ne: jobLimitId(place) } });
    if (others >= mostLimits)
      throw new ApiError('conflict', `There are ${mostLimits} limits already.`, {
        action: 'Clear those that are not needed any more.',
      });
    await storeLimit({ ...place, limit, setBy: acting.operator, setAt: databaseNow() });
  };
  await audited({ operator: acting.operator, action: 'set limit', target }, act, acting);
}

/** Clears a limit: that of all, or of the configuration, holds again. @throws ApiError not_found */
export async function clearLimit(place: LimitPlace, acting: Acting): Promise<void> {
  const target = describeLimit(place);
  const act = async () => {
    if (!(await removeLimit(place))) throw new ApiError('not_found', `There is no limit of ${target}.`);
  };
  await audited({ operator: acting.operator, action: 'clear limit', target }, act, acting);
}

/** All limits that operators have set, by kind; those of all organizations before those of one. */
export async function listLimits(): Promise<JobLimitRecord[]> {
  return JobLimit.find().sort({ _id: 1 }).lean<JobLimitRecord[]>();
}

/** Names the scope of a limit. */
export function describeLimit({ kind, per, organization }: LimitPlace): string {
  if (per === 'process') return `${kind} in each process`;
  return organization === undefined ? `${kind} of each organization` : `${kind} of ${organization}`;
}

/** A limit of a mistyped kind or organization would stay unnoticed. */
async function requirePlace({ kind, organization }: LimitPlace): Promise<void> {
  const kinds = new Set([...definedKinds(), ...(await listKindStates()).map((state) => state.kind)]);
  if (!kinds.has(kind))
    throw new ApiError('not_found', `There is no kind of job ${kind}.`, {
      action: `The kinds are ${[...kinds].sort().join(', ')}.`,
    });
  if (organization !== undefined && !(await Organization.exists({ _id: organization })))
    throw new ApiError('not_found', `There is no organization with the id ${organization}.`);
}

function requireLimit({ per, organization }: LimitPlace, text: string): void {
  const least = organization === undefined ? 1 : 0;
  const limit = Number(text);
  if (/^\d{1,4}$/.test(text) && limit >= least && limit <= largest) return;
  const isZero = Number(text) === 0 && text.trim() !== '';
  throw new ApiError(
    'invalid_request',
    `The limit must be a whole number from ${least} to ${largest}, not "${text.slice(0, 20)}".`,
    isZero
      ? {
          action: `To let no job of the kind run ${per === 'process' ? 'anywhere' : 'for any organization'}, pause the kind.`,
        }
      : {},
  );
}
