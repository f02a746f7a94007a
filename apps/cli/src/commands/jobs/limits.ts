import { clearLimit, describeLimit, listLimits, setLimit, type LimitPlace } from '@bindery/jobs';
import type { JobLimitRecord } from '@bindery/models';
import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { table } from '../table.ts';
import { commonOptions, operatorHere } from './jobOptions.ts';
import { refused } from './retry.ts';
import { withJobs } from './withJobs.ts';

export const limitsUsage = {
  command: 'jobs limits',
  operands: '[set <kind> <number> | clear <kind>]',
  options: {
    per: { value: 'WHAT', help: '`process` or `organization`: the limit of each of them.' },
    organization: {
      value: 'ID',
      help: 'The limit of this organization, before that of all; with 0 its jobs wait.',
    },
    ...commonOptions,
  },
} satisfies Usage;

/** @returns 0 @throws Refusal for a limit that cannot be set, or cleared */
export async function limits(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(limitsUsage, args);
  const [verb, kind, number, ...more] = operands;
  const isComplete =
    verb === undefined ||
    (kind !== undefined &&
      more.length === 0 &&
      ((verb === 'set' && number !== undefined) || (verb === 'clear' && number === undefined)));
  if (!isComplete)
    throw new Refusal(`\`bindery jobs limits\` takes ${limitsUsage.operands}.`, [
      'See `bindery jobs limits --help`.',
    ]);
  const place = kind === undefined ? undefined : placeOf(kind, values);
  return withJobs({ data: values.data, environment }, async () => {
    const acting = { operator: operatorHere() };
    if (place && number !== undefined) await setLimit(place, number, acting).catch(refused);
    else if (place) await clearLimit(place, acting).catch(refused);
    const shown = await listLimits();
    if (values.json) console.log(JSON.stringify(shown.map(rowOf), null, 2));
    else if (shown.length === 0) console.log('No limit is set; the limits of the configuration apply.');
    else for (const line of table(shown.map(rowOf))) console.log(line);
    return 0;
  });
}

/** @throws Refusal unless exactly one of the options says what the limit is for */
function placeOf(kind: string, { per, organization }: { per?: string; organization?: string }): LimitPlace {
  if (per === undefined && organization !== undefined) return { kind, per: 'organization', organization };
  if (organization === undefined && (per === 'process' || per === 'organization')) return { kind, per };
  throw new Refusal('Name the scope of the limit: --per process, --per organization or --organization ID.');
}

function rowOf(limit: JobLimitRecord) {
  const { setBy, setAt } = limit;
  return { limit: describeLimit(limit), jobs: String(limit.limit), by: setBy, at: setAt.toISOString() };
}
