import { TranslatedPage, TranslatedSegment, Translation } from '@bindery/models';
import { describe, expect } from 'vitest';
import { oplogPosition, writesSince } from '../../support/stores/oplog.ts';
import { it as base } from '../../support/translation/translating.ts';

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_TRANSLATION_PRICES: 'pseudo-locale=20' })
  .extend('estimate', ({ call, ended }) => async ({ id }: { id: string }) => {
    const { status, headers, text } = await call('POST', `/${id}/run?dryRun=true`);
    expect(status, text).toBe(204);
    return ended(headers.get('x-job-id'));
  });

describe('a dry run of a translation', { timeout: 120_000 }, () => {
  it('counts words by origin, and texts, calls and cost of the engine', async ({
    translated,
    call,
    estimate,
    engine,
  }) => {
    const one = await translated([
      { id: 'page', title: 'Page', source: 'One two three four.\n\nKnown text.\n\nText of a person.\n' },
    ]);
    const { body } = await call('GET', `/${one.id}/segments`);
    const person = body.items.find(({ source }: { source: string }) => source.startsWith('Text of'));
    await call('PATCH', `/${one.id}/segments/${encodeURIComponent(person.id)}`, { text: 'Texto.' });
    await one.write(
      'page',
      'One two 3 four.\n\nKnown text.\n\nText of a person.\n\nBrand new words.\n\nBrand new words.\n',
    );
    engine.asked.length = 0;
    const job = await estimate(one);
    expect(job).toMatchObject({
      state: 'succeeded',
      kind: 'translation-estimate',
      result: {
        ...{ engine: 'pseudo-locale', route: ['en', 'es'], pages: 1 },
        words: {
          new: { segments: 1, words: 3 },
          fuzzy: { segments: 1, words: 4 },
          repeated: { segments: 1, words: 3 },
          memory: { segments: 2, words: 3 },
          human: { segments: 1, words: 4 },
        },
        engines: [{ name: 'pseudo-locale', texts: 2, characters: 31, calls: 1, cost: 0.01 }],
      },
    });
    expect(engine.asked).toEqual([]);
    const { asked } = await one.run();
    expect(asked).toEqual(['One two 3 four.', 'Brand new words.']);
    expect((await estimate(one)).result).toMatchObject({
      pages: 0,
      words: { new: { segments: 0, words: 0 } },
      engines: [{ texts: 0, calls: 0, cost: 0 }],
    });
  });

  it('writes nothing but its job', async ({ translated, estimate }) => {
    const one = await translated([{ id: 'page', title: 'Page', source: 'Some text.\n' }]);
    await one.write('page', 'Another text.\n');
    const stored = async () =>
      Promise.all([
        Translation.findById(one.id).lean(),
        TranslatedPage.find({ translation: one.id }).lean(),
        TranslatedSegment.find({ translation: one.id }).lean(),
      ]);
    const before = await stored();
    const position = await oplogPosition();
    await estimate(one);
    expect(await stored()).toEqual(before);
    const written = (await writesSince(position)).map((change) => change.split(' ')[0]);
    expect(
      new Set(written.filter((name) => !/^(jobs|jobLogs?|jobEvents|jobOutcomes|workers)$/.test(name ?? ''))),
    ).toEqual(new Set());
    expect((await one.show()).status).toBe('completed');
  });
});
