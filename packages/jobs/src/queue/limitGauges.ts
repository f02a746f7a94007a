import { heldByLimits, jobLimits, type GaugeValues } from '@bindery/metrics';
import { isUnexpired, jobCollection, JobLimit, WorkerEntry, type JobLimitRecord } from '@bindery/models';
import { queueNames } from '../definitions/defineJob.ts';
import { limitsOf } from './kindLimits.ts';

const maxTimeMs = 4_000;

/**
 * Reads the limits that operators have set, and counts the waiting jobs that a reached limit keeps back.
 * Costs index keys of jobs that have not ended, and nothing without a limit.
 */
export async function readLimitGauges(): Promise<GaugeValues[]> {
  const limits = await JobLimit.find().lean<JobLimitRecord[]>();
  const kinds = [...new Set(limits.map(({ kind }) => kind))];
  const counts = kinds.length > 0 ? await countByOrganization(kinds) : [];
  return [
    { gauge: jobLimits, values: lowestOf(limits) },
    {
      gauge: heldByLimits,
      values: await Promise.all(
        kinds.map(async (kind) => ({
          labels: { kind },
          value: await countHeld(
            kind,
            counts.filter(({ _id }) => _id.kind === kind),
          ),
        })),
      ),
    },
  ];
}

/** Metrics name no organization: of all that have a limit of their own, the lowest one counts. */
function lowestOf(limits: readonly JobLimitRecord[]) {
  const scopeOf = ({ per, organization }: JobLimitRecord) =>
    organization === undefined ? per : 'one_organization';
  const groups = Map.groupBy(limits, (limit) => `${limit.kind} ${scopeOf(limit)}`);
  return [...groups.values()].map((group) => ({
    labels: { kind: group[0]!.kind, scope: scopeOf(group[0]!) },
    value: Math.min(...group.map(({ limit }) => limit)),
  }));
}

type Count = { _id: { kind: string; organization: string }; running: number; waiting: number };

/** Jobs that wait for something else, such as a lane, are not counted. */
async function countByOrganization(kinds: readonly string[]): Promise<Count[]> {
  const isRunning = { $eq: ['$state', 'running'] };
  return jobCollection()
    .aggregate<Count>(
      [
        {
          $match: {
            queue: { $in: [...queueNames] },
            state: { $in: ['accepted', 'queued', 'running'] },
            'waiting.reason': { $in: [null, 'limit'] },
            kind: { $in: kinds },
          },
        },
        {
          $group: {
            _id: { kind: '$kind', organization: '$organization' },
            running: { $sum: { $cond: [isRunning, 1, 0] } },
            waiting: { $sum: { $cond: [isRunning, 0, 1] } },
          },
        },
      ],
      { maxTimeMS: maxTimeMs },
    )
    .toArray();
}

async function countHeld(kind: string, counts: readonly Count[]): Promise<number> {
  const { ofProcess } = await limitsOf(kind, '');
  const running = counts.reduce((sum, count) => sum + count.running, 0);
  const processes = await WorkerEntry.countDocuments({ 'kinds.kind': kind, ...isUnexpired });
  const areProcessesFull = ofProcess !== undefined && processes > 0 && running >= processes * ofProcess;
  let held = 0;
  for (const { _id, running: own, waiting } of counts) {
    const { ofOrganization = Infinity } = await limitsOf(kind, _id.organization);
    if (areProcessesFull || own >= ofOrganization) held += waiting;
  }
  return held;
}
