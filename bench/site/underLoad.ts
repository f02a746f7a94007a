import { setTimeout as delay } from 'node:timers/promises';
import { loadAtRate, loadOf, send, type Target } from '../http/load.ts';
import { budgetRow, quantile, type Part } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import type { FilledSite } from './fillSite.ts';
import { startFloor } from './floor.ts';
import type { SiteProcess } from './siteProcess.ts';

const [pageCount, readerCount, durationMs] = [20, 500, 6_000];
const callers = 32;
const goals = { perSecond: 2_000, p99Ms: 20 };

/** Measures many readers of twenty pages: without and with a publish each second, and of a new process. */
export async function measureUnderLoad(
  site: SiteProcess,
  { typical, long }: FilledSite,
  environment: Record<string, string>,
): Promise<Part> {
  const targetsOf = (paths: readonly string[]) =>
    paths.slice(0, pageCount).map((path): Target => ({ origin: site.origin, path, encoding: 'br' }));
  const pages = targetsOf(typical);
  for (const page of pages) await send(page);
  const [page] = pages as [Target];
  const floor = await startFloor((await send(page)).body.length);
  const { perSecond: bare } = await loadOf(floor.target, { callers, durationMs });
  await floor.stop();
  const { perSecond: most } = await loadOf(page, { callers, durationMs });
  const asked = await countCommands(site, () => send(page));
  // A rate that it cannot keep would only measure for how long it was kept.
  const perSecond = Math.min(goals.perSecond, Math.round(most / 2));
  const calm = await loadAtRate(pages, { perSecond, durationMs });
  const disturbed = await whilePublishing(site, environment, async () =>
    loadAtRate(pages, { perSecond, durationMs }),
  );
  await site.restart({ forgets: true });
  const cold = targetsOf(long);
  const readers = Array.from({ length: readerCount }, async (_, i) => send(cold[i % pageCount] as Target));
  const coldMs = (await Promise.all(readers)).map(({ tookMs }) => tookMs);
  const rendered = await site.count('bindery_site_pages_rendered_total');
  return {
    rows: [
      budgetRow('requests a second from memory', {
        ours: most,
        budget: goals.perSecond,
        unit: '/s',
        goal: '>= 1',
      }),
      budgetRow('the same, beside a bare server', { ours: most, budget: bare, unit: '/s', goal: '-' }),
      budgetRow('p99 at 2,000 a second, or at half of what is possible', inMs(calm, 0.99)),
      budgetRow('p99 at the same rate, a publish each second', inMs(disturbed.samples, 0.99)),
      budgetRow(`pages rendered for ${readerCount} readers of ${pageCount} pages, of a new process`, {
        ours: rendered,
        budget: pageCount,
        unit: 'pages',
      }),
    ],
    notes: [
      `Load: ${perSecond} requests a second for ${pageCount} pages, each counted from the time at which it was due: p50 ${ms(calm, 0.5)}. With ${disturbed.published} publishes: p50 ${ms(disturbed.samples, 0.5)}, p90 ${ms(disturbed.samples, 0.9)}, and ${disturbed.rendered} pages rendered. Readers, process, MongoDB and publisher share the processors.`,
      `A page from memory asks MongoDB ${asked} times.`,
      `${readerCount} readers of a new process at once: p50 ${ms(coldMs, 0.5)}, the last ${ms(coldMs, 1)}.`,
    ],
  };
}

/** Publishes once a second while readers are measured. */
async function whilePublishing(
  site: SiteProcess,
  environment: Record<string, string>,
  measure: () => Promise<number[]>,
): Promise<{ samples: number[]; published: number; rendered: number }> {
  const publisher = await startProgram(new URL('publisher.ts', import.meta.url), environment);
  const before = await site.count('bindery_site_pages_rendered_total');
  const measuring = measure();
  let isMeasured = false;
  const end = () => void (isMeasured = true);
  const ended = measuring.then(end, end);
  let published = 0;
  while (!isMeasured) {
    await publisher.ask({});
    published += 1;
    await Promise.race([delay(1_000), ended]);
  }
  const samples = await measuring;
  const rendered = (await site.count('bindery_site_pages_rendered_total')) - before;
  await publisher.stop();
  return { samples, published, rendered };
}

/** The commands of MongoDB that some work of the process needs. */
async function countCommands(site: SiteProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await site.count('bindery_mongodb_command_duration_seconds_count');
  await work();
  return (await site.count('bindery_mongodb_command_duration_seconds_count')) - before;
}

function inMs(samples: readonly number[], share: number) {
  return { ours: quantile(samples, share), budget: goals.p99Ms, unit: 'ms' };
}

function ms(samples: readonly number[], share: number): string {
  return `${Math.round(quantile(samples, share))} ms`;
}
