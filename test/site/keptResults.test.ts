import { computeOnce } from '@bindery/content';
import { mongoDatabase } from '@bindery/models';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { it } from '../support/site/siteIt.ts';

/** Asks for results, and counts how often one was computed. */
function counted() {
  const count = { computed: 0 };
  const ask = async (input: string, result: object | null = { text: 'result' }) =>
    computeOnce({
      input,
      compute: async () => {
        count.computed += 1;
        return result ?? undefined;
      },
    });
  return { ask, count };
}

const keptResults = () => mongoDatabase().collection<{ _id: string; expireAt: Date }>('keptResults');

describe('a cached result', () => {
  it('is computed once for equal input', async ({ api: _api }) => {
    const { ask, count } = counted();
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await ask(one)).toEqual({ text: 'result' });
    expect(await ask(one, { text: 'another' })).toEqual({ text: 'result' });
    expect(await ask(other)).toEqual({ text: 'result' });
    expect(count.computed).toBe(2);
  });

  it('is the same when several callers compute it at once', async ({ api: _api }) => {
    const { ask } = counted();
    const input = randomUUID();
    const results = await Promise.all(Array.from({ length: 5 }, () => ask(input)));
    expect(results).toEqual(results.map(() => ({ text: 'result' })));
  });

  it('is not stored when it is empty or very large', async ({ api: _api }) => {
    const { ask, count } = counted();
    const [none, large] = [randomUUID(), randomUUID()];
    const bytes = Array.from({ length: 300_000 }, () => randomUUID()).join('');
    for (let time = 0; time < 2; time += 1) {
      expect(await ask(none, null)).toBeUndefined();
      expect(await ask(large, { bytes })).toEqual({ bytes });
    }
    expect(count.computed).toBe(4);
  });

  it('is extended when it is read, and expires two weeks later', async ({
    api: _api,
    organization,
    server,
    hostname,
  }) => {
    const space = await publishPages(await buildSpace(organization), [
      { title: 'Long', path: 'long', source: `# Long\n\n${'Some words of a long page. '.repeat(200)}` },
    ]);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const before = new Date();
    const answer = await server.get(`${server.origin}/${hostname}/${site.basename}`);
    expect(answer.status).toBe(200);
    const stored = await keptResults()
      .find({ expireAt: { $gte: before } })
      .toArray();
    // The parsed text, and the page.
    expect(stored.length).toBeGreaterThanOrEqual(2);
    const days = (date: Date | undefined) => Math.round((Number(date) - Date.now()) / 86_400_000);
    expect(days(stored.at(-1)?.expireAt)).toBe(14);
    const { ask } = counted();
    const input = randomUUID();
    const known = new Set((await keptResults().find().toArray()).map(({ _id }) => _id));
    await ask(input);
    const [own] = (await keptResults().find().toArray()).filter(({ _id }) => !known.has(_id));
    await keptResults().updateOne(
      { _id: own?._id ?? '' },
      { $set: { expireAt: new Date(Date.now() + 86_400_000) } },
    );
    await ask(input);
    expect(days((await keptResults().findOne({ _id: own?._id ?? '' }))?.expireAt)).toBe(14);
  });
});
