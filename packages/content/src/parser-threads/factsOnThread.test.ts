import { describe, expect, it } from 'vitest';
import { factsOfText } from '../references/factsOfText.ts';
import { factsOnThread } from './factsOnThread.ts';

describe('reading the facts of texts on another thread', () => {
  it('gives the facts of each text in order, for several batches at once', async () => {
    const batches = Array.from({ length: 6 }, (_, batch) =>
      Array.from({ length: 5 }, (_, at) => `## Part ${at}\n\nTo [a page](page-${batch}-${at}.md#part).\n`),
    );
    expect(await Promise.all(batches.map((texts) => factsOnThread(texts, 'ours')))).toEqual(
      batches.map((texts) => texts.map((text) => factsOfText(text))),
    );
  });

  it('gives the facts of the other texts when one of them ends the thread', async () => {
    const texts = ['To [a](a.md).', tooMuch, 'To [b](b.md).'];
    const facts = await factsOnThread(texts, 'ours');
    expect(facts.map((each) => each?.links.map(({ target }) => target))).toEqual([
      ['a.md'],
      undefined,
      ['b.md'],
    ]);
  });

  it('returns an empty list for no texts', async () => {
    expect(await factsOnThread([], 'ours')).toEqual([]);
  });
});

/** Stands for a text that exceeds a limit: no text does within a test, and this ends the thread too. */
const tooMuch = 5 as unknown as string;
