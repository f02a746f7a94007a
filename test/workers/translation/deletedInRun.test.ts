import { TranslatedPage, TranslatedSegment } from '@bindery/models';
import { describe, expect } from 'vitest';
import { bound } from '../../support/machine.ts';
import { it } from '../../support/translation/translating.ts';
import { until } from '../../support/until.ts';

describe('a translation that is deleted while it runs', { timeout: 120_000 }, () => {
  it('leaves no texts behind', async ({ translated, call, engine }) => {
    const one = await translated([{ id: 'page', title: 'Page', source: 'A text.\n' }]);
    await one.write('page', 'Another text.\n');
    const isAsked = Promise.withResolvers<void>();
    const isDeleted = Promise.withResolvers<void>();
    const { translate } = engine.wrapped;
    engine.wrapped.translate = async (...request) => {
      isAsked.resolve();
      await isDeleted.promise;
      return translate(...request);
    };
    await call('POST', `/${one.id}/run`);
    await isAsked.promise;
    expect((await call('DELETE', `/${one.id}`)).status).toBe(204);
    engine.wrapped.translate = translate;
    isDeleted.resolve();
    // The run ends before the next one of the worker begins.
    expect((await translated([{ id: 'page', title: 'Page', source: 'A text.\n' }])).first.state).toBe(
      'succeeded',
    );
    await until(
      'removal of the texts',
      async () =>
        (await TranslatedSegment.countDocuments({ translation: one.id })) +
          (await TranslatedPage.countDocuments({ translation: one.id })) ===
        0,
      { timeoutMs: bound(5_000) },
    );
  });
});
