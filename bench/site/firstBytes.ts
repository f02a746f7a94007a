import { send, type Answered, type Target } from '../http/load.ts';
import { budgetRow, quantile, type Part, type Row } from '../support/figures.ts';
import type { FilledSite } from './fillSite.ts';
import { startFloor } from './floor.ts';
import type { SiteProcess } from './siteProcess.ts';

const rounds = 10;
const goalsMs = { memory: 5, known: 3, restarted: 60, nothing: 250 };

/**
 * Measures the time to the first byte of long pages, one request at a time: with nothing, after a restart of
 * the process, from its memory, and when the reader has the page.
 */
export async function measureFirstBytes(site: SiteProcess, { long, guide }: FilledSite): Promise<Part> {
  const targets = long.map((path): Target => ({ origin: site.origin, path, encoding: 'br' }));
  const other: Target = { origin: site.origin, path: guide.at(-1) ?? '', encoding: 'br' };
  /** @returns the time of the very first page; its threads have languages to load after it */
  const warmUp = async () => {
    const { firstMs } = await send(other);
    for (const path of guide) await send({ ...other, path });
    return firstMs;
  };

  await site.restart({ forgets: true });
  await warmUp();
  const nothing = await sendAll(targets);
  await site.restart();
  const veryFirstMs = await warmUp();
  const restarted = await sendAll(targets);
  const memory: Answered[] = [];
  const known: Answered[] = [];
  const bare: Answered[] = [];
  const floor = await startFloor((await send(targets[0] as Target)).body.length);
  for (let round = 0; round < rounds; round += 1) {
    const read = await sendAll(targets);
    memory.push(...read);
    known.push(...(await sendAll(targets.map((target, i) => ({ ...target, tag: read[i]?.tag ?? '' })))));
    bare.push(...(await sendAll(targets.map(() => floor.target))));
  }
  await floor.stop();
  return {
    rows: [
      ...rowsOf('a page from memory', memory, goalsMs.memory),
      besideRow(bare, memory),
      ...rowsOf('a page that the reader has, 304', known, goalsMs.known),
      ...rowsOf('a page rendered before a restart of the process', restarted, goalsMs.restarted),
      ...rowsOf('a page never rendered', nothing, goalsMs.nothing),
    ],
    notes: [
      `Time to the first byte: ${long.length} pages of 38 kB with 34 blocks of code, by a process that has shown ${guide.length} others.`,
      `The very first page of a new process: ${Math.round(veryFirstMs)} ms.`,
    ],
  };
}

async function sendAll(targets: readonly Target[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const target of targets) answers.push(await send(target));
  return answers;
}

const msOf = (answers: readonly Answered[]) => answers.map(({ firstMs }) => firstMs);

function besideRow(bare: readonly Answered[], memory: readonly Answered[]): Row {
  const [reference, ours] = [quantile(msOf(bare), 0.5), quantile(msOf(memory), 0.5)];
  const show = (value: number) => `${value.toFixed(2)} ms`;
  return {
    name: 'first byte of a page from memory, beside a bare server: p50',
    reference: show(reference),
    ours: show(ours),
    ratio: ours / reference,
    goal: '-',
    isMet: true,
  };
}

function rowsOf(name: string, answers: readonly Answered[], budget: number): Row[] {
  const samples = msOf(answers);
  return [
    budgetRow(`first byte of ${name}: p50`, { ours: quantile(samples, 0.5), budget, unit: 'ms' }),
    budgetRow('the same, p95', { ours: quantile(samples, 0.95), budget, unit: 'ms', goal: '-' }),
  ];
}
