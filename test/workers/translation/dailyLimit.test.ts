import { pseudoLocaleEngine } from '@bindery/engines';
import { useTranslationCharacters } from '@bindery/models';
import { describe, expect } from 'vitest';
import { withDailyLimit } from '../../../apps/worker-translation/src/withDailyLimit.ts';
import { it } from '../../support/it.ts';

const request = { pair: { source: 'en', target: 'es' }, signal: AbortSignal.timeout(60_000) };
const service = { ...pseudoLocaleEngine, isService: true as const };

describe('the daily limit of an organization', () => {
  it('lets a service translate until its characters are used up, and then reports it', async ({
    organization,
  }) => {
    const engine = withDailyLimit(service, { organization: organization._id, perDay: 10 });
    expect(await engine.translate(['12345'], request)).toHaveLength(1);
    await expect(engine.translate(['123', '456'], request)).rejects.toMatchObject({
      code: 'quota',
      message: 'The organization has used its 10 characters of today.',
    });
    expect(await engine.translate(['12345'], request)).toHaveLength(1);
    await expect(engine.translate(['1'], request)).rejects.toMatchObject({ code: 'quota' });
  });

  it('does not apply to a local engine, or when it is 0', async ({ organization }) => {
    const { _id } = organization;
    for (const engine of [
      withDailyLimit(pseudoLocaleEngine, { organization: _id, perDay: 1 }),
      withDailyLimit(service, { organization: _id, perDay: 0 }),
    ])
      expect(await engine.translate(['12345'], request)).toHaveLength(1);
  });

  it('applies to concurrent calls together, and starts again each day', async ({ space: { _id } }) => {
    const use = (day: string) =>
      useTranslationCharacters(_id, { characters: 3, limit: 10, now: new Date(`${day}T12:00:00Z`) });
    const today = await Promise.all(Array.from({ length: 8 }, () => use('2026-01-31')));
    expect(today.filter(Boolean)).toHaveLength(3);
    expect(await use('2026-02-01')).toBe(true);
  });
});
