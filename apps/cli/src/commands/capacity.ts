import { kindFigures } from '../capacity/figures.ts';
import { planCapacity, type CapacityPlan, type Profile } from '../capacity/planCapacity.ts';
import { parseOptions, type Usage } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { table } from './table.ts';

export const capacityUsage = {
  command: 'capacity',
  options: {
    organizations: { value: 'N', help: 'Number of organizations (default 100).' },
    pages: { value: 'N', help: 'Pages of each organization (default 1000).' },
    jobs: { value: 'N', help: 'Jobs a second at the busiest time (default 1).' },
    reads: { value: 'N', help: 'Reads a second at the busiest time (default 100).' },
    edits: { value: 'N', help: 'Edits of pages in a day (default 10 for each organization).' },
    wait: { value: 'SECONDS', help: 'How long 99 of 100 jobs may wait for their start (default 5).' },
    retention: { value: 'DAYS', help: 'How long records of jobs are kept (default 30).' },
    mix: {
      value: 'KIND=PERCENT,...',
      help: `The share of each kind in the jobs (default ${kindFigures.map(({ kind, share }) => `${kind}=${share}`).join(',')}).`,
    },
    json: { help: 'Prints JSON.' },
  },
} satisfies Usage;

export async function capacity(args: readonly string[]): Promise<number> {
  const { values } = parseOptions(capacityUsage, args);
  const number = (name: keyof typeof limits, standard: number) => numberIn(values[name], name, standard);
  const organizations = number('organizations', 100);
  const profile: Profile = {
    organizations,
    pages: number('pages', 1_000),
    jobsPerSecond: number('jobs', 1),
    readsPerSecond: number('reads', 100),
    editsPerDay: number('edits', organizations * 10),
    waitSeconds: number('wait', 5),
    retentionDays: number('retention', 30),
    shares: sharesIn(values.mix),
  };
  const plan = planCapacity(profile);
  console.log(values.json ? JSON.stringify(plan, undefined, 2) : describe(plan));
  return 0;
}

const limits = {
  organizations: { least: 1, most: 100_000 },
  pages: { least: 1, most: 10_000_000 },
  jobs: { least: 0.001, most: 10_000 },
  reads: { least: 0, most: 1_000_000 },
  edits: { least: 0, most: 1e9 },
  wait: { least: 0.1, most: 86_400 },
  retention: { least: 1, most: 3_650 },
};

/** @throws Refusal for a value that is no number, or out of its limits */
function numberIn(text: string | undefined, name: keyof typeof limits, standard: number): number {
  const { least, most } = limits[name];
  const value = text === undefined ? standard : Number(text);
  if (text?.trim() !== '' && value >= least && value <= most) return value;
  throw new Refusal(`--${name} is "${text}".`, [`Give a number from ${least} to ${most}.`]);
}

/** @throws Refusal for an unknown kind, and for parts that are not 100 together */
function sharesIn(text: string | undefined): Record<string, number> {
  const standard = Object.fromEntries(kindFigures.map(({ kind, share }) => [kind, share]));
  if (text === undefined) return standard;
  const pairs = text.split(',').map((pair) => pair.split('='));
  const advice = [`Name each kind once: ${Object.keys(standard).join(', ')}; together 100.`];
  const unknown = pairs.find(([kind = '', part = '']) => !(kind in standard) || !(Number(part) >= 0));
  if (unknown) throw new Refusal(`--mix has "${unknown.join('=')}".`, advice);
  const sum = pairs.reduce((total, [, part]) => total + Number(part), 0);
  if (Math.abs(sum - 100) > 0.01 || new Set(pairs.map(([kind]) => kind)).size < pairs.length)
    throw new Refusal(`The shares of --mix add up to ${sum}.`, advice);
  return Object.fromEntries(pairs.map(([kind = '', part]) => [kind, Number(part)]));
}

function describe({ apps, memoryMb, jobLayerProcessors, workProcessors, storageGb }: CapacityPlan): string {
  const rows = apps.map(({ app, processes, memoryMb: memory, jobsPerSecond, use, waits }) => ({
    app,
    processes: String(processes),
    memory: `${(memory / 1_000).toFixed(1)} GB`,
    'jobs/s': app === 'api' ? '-' : jobsPerSecond.toFixed(2),
    'in use': `${Math.round(use * 100)} %`,
    'wait p50': app === 'api' ? '-' : `${waits.p50.toFixed(2)} s`,
    'wait p99': app === 'api' ? '-' : `${waits.p99.toFixed(2)} s`,
  }));
  const { content, editsOfYear, jobs } = storageGb;
  return [
    ...table(rows),
    '',
    `Limits of memory together: ${(memoryMb / 1_000).toFixed(0)} GB.`,
    `Processors at the busiest time: ${workProcessors.toFixed(1)} for the work of jobs, ${jobLayerProcessors.toFixed(1)} for the job layer with its stores.`,
    `MongoDB before compression: content ${gb(content)}, edits of a year ${gb(editsOfYear)}, records of jobs ${gb(jobs)}.`,
    'These are estimates: check them with `npm run bench` on your machines, and with the metrics.',
  ].join('\n');
}

function gb(value: number): string {
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} GB`;
}
