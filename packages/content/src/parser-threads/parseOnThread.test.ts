import { describe, expect, it } from 'vitest';
import { parseDocument } from '@bindery/dialect';
import { parseOnThread } from './parseOnThread.ts';
import { until } from '../../../../test/support/until.ts';
import { runOnThread } from './parserThreads.ts';

describe('parsing on another thread', () => {
  it('gives the same result as parsing here, for many texts at once', async () => {
    const texts = Array.from({ length: 40 }, (_, i) =>
      `## Heading ${i}\n\nSome *text* with a [link](page-${i}.md).\n`.repeat(1 + (i % 3) * 200),
    );
    expect(await Promise.all(texts.map((text) => parseOnThread(text, 'ours')))).toEqual(
      texts.map((page) => parseDocument(page)),
    );
  });

  it('keeps this thread free', async () => {
    const slow = '- a\n'.repeat(3_000);
    const parsing = parseOnThread(slow, 'ours');
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const tree = await parsing;
    clearInterval(timer);
    expect(tree?.object).toBe('document');
    expect(ticks).toBeGreaterThan(3);
  });

  it.each([
    ['brackets', 'a['.repeat(4_000)],
    ['pictures in each other', `${'![a'.repeat(400)}${'](b)'.repeat(400)}`],
    ['a quote that goes on without its mark', `> a\n${'a\n'.repeat(2_000)}`],
  ])('keeps this thread free for %s', async (_what, text) => {
    // The thread is already running.
    await parseOnThread('word '.repeat(1_000), 'ours');
    const here = await leastWork(() => parseDocument(text));
    // On a busy machine a run may exceed its time, and the next one need not.
    await until('a parsed text', async () => (await parseOnThread(text, 'ours'))?.object === 'document');
    const there = await leastWork(() => parseOnThread(text, 'ours'));
    expect(there).toBeLessThan(here / 2);
  });

  it('gives an organization its turn, however long the queue of another one is', async () => {
    const long = 'Some *text* with a [link](page.md).\n\n'.repeat(500);
    // All threads are running.
    await Promise.all(['others', 'others', 'ours'].map((organization) => parseOnThread(long, organization)));
    let done = 0;
    const others = Array.from({ length: 12 }, async (_, i) => {
      await parseOnThread(`${i} ${long}`, 'others');
      done += 1;
    });
    await others[0];
    const before = done;
    // Short, because its thread may wait for a core while the others go on.
    await runOnThread('parseDocument', 'a', { organization: 'ours', characters: 1 });
    // At most the tasks that ran when ours arrived.
    expect(done - before).toBeLessThanOrEqual(3);
    await Promise.all(others);
  });

  it('aborts a text that takes too long for its length, and continues', async () => {
    const text = '- a\n'.repeat(3_000);
    await parseOnThread(text, 'ours');
    // A length that allows no time at all.
    expect(
      await runOnThread('parseDocument', text, { organization: 'ours', characters: -50_000 }),
    ).toBeUndefined();
    expect((await parseOnThread(text, 'ours'))?.object).toBe('document');
  });
});

/**
 * The processor time that this thread spends on `work`, in microseconds: the minimum of several runs, because
 * some collect garbage of other work.
 */
async function leastWork(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < 3; i += 1) {
    const began = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(began);
    least = Math.min(least, user + system);
  }
  return least;
}
