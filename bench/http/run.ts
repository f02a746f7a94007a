import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { quantile, writeReport, type Row } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { callers, fillInstallation, type Installation } from './installation.ts';
import { closeConnections, latenciesOf, loadOf, send, type Target } from './load.ts';

const rounds = 5;
const requestsPerRound = 200;
const loadMs = 3_000;
const loadCallers = 16;

const stores = await startBenchStores();
const environment = {
  ...process.env,
  REDIS_URL: stores.redisUrl,
  BINDERY_SECRET_KEY: '00'.repeat(32),
  LOG_LEVEL: 'info',
  PORT: '0',
};
const uriOf = (database: string) =>
  Object.assign(new URL(stores.mongodbUri), { pathname: `/${database}` }).href;
const programs: ChildProcess[] = [];

async function start(file: string, database: string): Promise<string> {
  const child = fork(new URL(file, import.meta.url), {
    env: { ...environment, MONGODB_URI: uriOf(database) },
    // Read the logs, as in production, and discard them.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  programs.push(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return `http://127.0.0.1:${port}`;
}

const sizes = {
  small: { spaces: 100, elsewhere: 0 },
  many: { spaces: 100, elsewhere: 100_000 },
  crowded: { spaces: 100_000, elsewhere: 0 },
};
type Size = keyof typeof sizes;

const installations = {} as Record<Size, Installation & { origin: string }>;
for (const size of Object.keys(sizes) as Size[]) {
  console.error(`filling: ${size}`);
  const installation = await fillInstallation(uriOf(size), sizes[size]);
  installations[size] = { ...installation, origin: await start('../../apps/api/src/main.ts', size) };
}

/** The target for a page of fifty spaces; `page` is the number of pages before it. */
async function pageTarget(size: Size, caller: (typeof callers)[number], page: number): Promise<Target> {
  const { origin, organization, tokens } = installations[size];
  const target = { origin, token: tokens[caller], path: `/v1/orgs/${organization}/spaces?limit=50` };
  let path = target.path;
  for (let i = 0; i < page; i += 1) {
    const { next } = JSON.parse((await send({ ...target, path })).body.toString()) as {
      next: { page: string };
    };
    path = `${target.path}&page=${next.page}`;
  }
  return { ...target, path };
}

const rows: Row[] = [];
const ms = (value: number) => `${value.toFixed(2)} ms`;

for (const caller of callers) {
  const targets = {
    small: await pageTarget('small', caller, 0),
    many: await pageTarget('many', caller, 0),
    crowded: await pageTarget('crowded', caller, 0),
    later: await pageTarget('crowded', caller, caller === 'guest with grants' ? 1 : 20),
  };
  const samples: Record<keyof typeof targets, number[]> = { small: [], many: [], crowded: [], later: [] };
  for (const target of Object.values(targets)) await latenciesOf(target, requestsPerRound);
  for (let round = 0; round < rounds; round += 1) {
    console.error(`pages for ${caller}: round ${round + 1} of ${rounds}`);
    for (const name of Object.keys(targets) as (keyof typeof targets)[])
      samples[name].push(...(await latenciesOf(targets[name], requestsPerRound)));
  }
  const names = {
    many: '100,000 spaces in 1,000 other organizations',
    crowded: '100,000 in the same organization',
    later: 'the same, a later page',
  };
  for (const name of Object.keys(names) as (keyof typeof names)[]) {
    for (const [share, label] of [
      [0.5, 'p50'],
      [0.99, 'p99'],
    ] as const) {
      const [reference, ours] = [quantile(samples.small, share), quantile(samples[name], share)];
      const ratio = ours / reference;
      const goal = share === 0.99 ? { goal: '<= 1.5', isMet: ratio <= 1.5 } : { goal: '-', isMet: true };
      rows.push({
        name: `50 spaces for ${caller}, ${names[name]}: ${label}`,
        reference: ms(reference),
        ours: ms(ours),
        ratio,
        ...goal,
      });
    }
  }
}

const floor = await start('floorServer.ts', 'small');
const { origin, space, tokens } = installations.small;
const operations: Record<string, Omit<Target, 'origin'>> = {
  'read a space': { path: `/v1/spaces/${space}`, token: tokens.admin },
  'change a space': {
    path: `/v1/spaces/${space}`,
    token: tokens.admin,
    method: 'PATCH',
    json: { title: 'Renamed', language: 'de' },
  },
};
for (const [name, operation] of Object.entries(operations)) {
  const results = {
    floor: [] as Awaited<ReturnType<typeof loadOf>>[],
    ours: [] as Awaited<ReturnType<typeof loadOf>>[],
  };
  for (let round = 0; round <= rounds; round += 1) {
    console.error(`${name}: round ${round} of ${rounds}`);
    const [reference, mine] = [
      await loadOf({ ...operation, origin: floor }, { callers: loadCallers, durationMs: loadMs }),
      await loadOf({ ...operation, origin }, { callers: loadCallers, durationMs: loadMs }),
    ];
    // The first round is a warm-up.
    if (round === 0) continue;
    results.floor.push(reference);
    results.ours.push(mine);
  }
  const perSecond = (all: { perSecond: number }[]) =>
    quantile(
      all.map((one) => one.perSecond),
      0.5,
    );
  const p99 = (all: { samples: number[] }[]) =>
    quantile(
      all.flatMap(({ samples }) => samples),
      0.99,
    );
  const rate = [perSecond(results.floor), perSecond(results.ours)] as const;
  const slow = [p99(results.floor), p99(results.ours)] as const;
  rows.push(
    {
      name: `${name}, ${loadCallers} callers: requests per second`,
      reference: `${Math.round(rate[0])} /s`,
      ours: `${Math.round(rate[1])} /s`,
      ratio: rate[1] / rate[0],
      goal: '>= 0.7',
      isMet: rate[1] >= 0.7 * rate[0],
    },
    {
      name: 'the same, p99',
      reference: ms(slow[0]),
      ours: ms(slow[1]),
      ratio: slow[1] / slow[0],
      goal: '<= 2',
      isMet: slow[1] <= 2 * slow[0],
    },
  );
}

await writeReport('http.md', {
  title: 'The API against size and against bare Express',
  intro: `Pages of 50 spaces: the reference is an installation of 100 spaces, all in the organization that is asked. One request at a time, ${rounds} rounds of ${requestsPerRound}, the installations by turns, each with an API process and a database of its own on the same MongoDB. The last rows compare with a bare Express and zod server that reads and writes the same records.`,
  rows,
  notes: [
    'Each answer carries the count of all spaces that the caller sees; beyond a thousand it is remembered for two seconds.',
    'The API answers with a request id, limits, logs of each request and a tag of the state; the bare server does none of that.',
  ],
});
closeConnections();
for (const program of programs) program.kill('SIGKILL');
await stores.stop();
