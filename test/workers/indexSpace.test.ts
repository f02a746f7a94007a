import {
  DocumentLinks,
  IndexedPage,
  IndexTask,
  SpaceIndex,
  Space,
  type IndexedPageRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { indexSpace } from '../../apps/worker-maintenance/src/indexSpace.ts';
import { readLinks } from '../../apps/worker-maintenance/src/readLinks.ts';
import { requestMissingIndexes } from '../../apps/worker-maintenance/src/requestMissingIndexes.ts';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { startApp } from '../support/processes/appProcess.ts';
import {
  buildOrganization,
  buildReusableContent,
  buildRevision,
  buildSpace,
  changeSpace,
  type TestPage,
} from '../support/factories.ts';
import { indexWhatWaits, publishPages } from '../support/content/indexing.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let api: TestApi;
let organization: OrganizationRecord;
let space: SpaceRecord;

beforeAll(async () => {
  api = await startApi();
  ({ organization } = await buildOrganization());
});
beforeEach(async () => {
  await Promise.all([
    Space.deleteMany({}),
    IndexTask.deleteMany({}),
    SpaceIndex.deleteMany({}),
    IndexedPage.deleteMany({}),
  ]);
  space = await buildSpace(organization);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => api.close());

const signal = new AbortController().signal;
const run = () =>
  indexSpace(space._id, { logger: createLogger(api.config, { app: 'test' }), signal, blobs: api.blobs });
const publish = async (...pages: TestPage[]) => (space = await publishPages(space, pages));
const page = (id: string, source: string, fields: Partial<TestPage> = {}): TestPage =>
  ({ id, title: id, slug: id, path: id, source, ...fields }) as TestPage;
const records = () => IndexedPage.find({ space: space._id }).sort({ _id: 1 }).lean<IndexedPageRecord[]>();
const pagesOf = async () => (await records()).map((record) => record.page);
const pageOf = async (id: string) =>
  (await records()).find((record) => record.page === id) as IndexedPageRecord;
const state = () => SpaceIndex.findById(space._id).lean();
/** Returns the records of a first run over the present content. */
const fresh = async () => {
  await Promise.all([SpaceIndex.deleteMany({}), IndexedPage.deleteMany({})]);
  await run();
  return records();
};

describe('the index of a space', () => {
  it('contains its pages: title, path, ancestors, sections and words', async () => {
    await publish({
      type: 'group',
      id: 'g',
      title: 'Guides',
      path: 'guides',
      pages: [
        page('install', '# Install\n\nBefore.\n\n## On Linux\n\nUse `apt`.\n', {
          description: 'How to',
          pages: [page('deep', 'Deep.')],
        }),
      ],
    });
    await run();
    expect(await pageOf('install')).toMatchObject({
      title: 'install',
      path: 'install',
      description: 'How to',
      ancestors: ['Guides'],
      sections: [
        { id: '', title: '', text: 'Before.' },
        { id: 'on-linux', title: 'On Linux', text: 'Use apt.' },
      ],
    });
    expect((await pageOf('install')).words.map((entry) => entry.split(' ')[0])).toEqual(
      expect.arrayContaining(['linux', 'apt', 'how']),
    );
    expect((await pageOf('deep')).ancestors).toEqual(['Guides', 'install']);
    expect(await state()).toMatchObject({ revision: space.revision, pages: 2, begun: [] });
  });

  it('contains hidden and empty pages, but no unindexed pages, groups or links', async () => {
    await publish(
      page('a', 'Text.', { noIndex: true } as never),
      page('b', 'Text.', { hidden: true } as never),
      { id: 'c', title: 'C' },
      { type: 'link', id: 'l', title: 'L', target: { kind: 'url', url: 'https://example.org' } },
    );
    await run();
    expect(await pagesOf()).toEqual(['b', 'c']);
    await publish(page('b', 'Text.', { noIndex: true } as never));
    await run();
    expect(await pagesOf()).toEqual([]);
  });

  it('follows changed, moved, renamed and deleted pages, and equals a new index', async () => {
    const steps: TestPage[][] = [
      [
        page('a', 'One.', { pages: [page('b', 'Two.', { pages: [page('c', 'Three.')] })] }),
        page('d', 'Four.'),
      ],
      [
        page('a', 'One.', { pages: [page('b', 'Two, changed.', { pages: [page('c', 'Three.')] })] }),
        page('d', 'Four.'),
      ],
      [
        page('a', 'One.', {
          title: 'Renamed',
          pages: [page('b', 'Two, changed.', { pages: [page('c', 'Three.')] })],
        }),
        page('d', 'Four.'),
      ],
      [
        page('a', 'One.', { title: 'Renamed' }),
        page('d', 'Four.', { pages: [page('b', 'Two, changed.', { pages: [page('c', 'Three.')] })] }),
      ],
      [page('d', 'Four.', { pages: [page('c', 'Three.')] }), page('e', 'Five.')],
    ];
    for (const pages of steps) {
      await publish(...pages);
      await run();
      const found = await records();
      expect(found).toEqual(await fresh());
      // The next step starts from these records.
      expect(await run()).toBe(true);
    }
    expect(await pageOf('c')).toMatchObject({ ancestors: ['d'] });
  });

  it('stores the links of all documents, equal to a first reading of the links', async () => {
    const pages = [
      page('a', '# a\n\n## Part\n\nTo [b](b.md#part) and {% if visitor.claims.x %}.\n'),
      page('b', 'To [c](https://c.example).\n', { noIndex: true } as never),
      page('c', 'No link.\n'),
    ];
    const fill = async (filled: SpaceRecord) => {
      const source = 'To [d](https://d.example).\n';
      const note = await buildReusableContent(filled.organization, { source });
      await buildRevision(filled, { pages, reusableContents: [note] });
    };
    const linksIn = async ({ _id }: OrganizationRecord) => {
      const stored = await DocumentLinks.find({ organization: _id }).sort({ _id: 1 }).lean();
      return stored.map(({ _id: key, links, anchors, spaces }) => [
        key.slice(_id.length),
        links,
        anchors,
        spaces,
      ]);
    };
    await DocumentLinks.deleteMany({});
    await fill(space);
    await run();
    await readLinks(space._id, { logger: createLogger(api.config, { app: 'test' }), signal });
    const other = await buildOrganization();
    const notIndexed = await buildSpace(other.organization);
    await fill(notIndexed);
    const { token } = other.admin;
    expect(await api.call('GET', `/v1/spaces/${notIndexed._id}/links`, { token })).toMatchObject({
      status: 200,
      body: { count: 3 },
    });
    const found = await linksIn(other.organization);
    expect(found).toHaveLength(4);
    expect(await linksIn(organization)).toEqual(found);
  });

  it('is written only for changed pages', async () => {
    await publish(
      ...Array.from({ length: 30 }, (_, i) =>
        page(`p${i}`, `Page ${i}.`, { pages: [page(`q${i}`, `Below ${i}.`)] }),
      ),
    );
    await run();
    await IndexedPage.updateMany({ space: space._id }, { $set: { title: 'as it was' } });
    await publish(
      ...Array.from({ length: 30 }, (_, i) =>
        page(`p${i}`, `Page ${i}.`, { pages: [page(`q${i}`, i === 7 ? 'New.' : `Below ${i}.`)] }),
      ),
    );
    await run();
    expect(
      (await records()).filter(({ title }) => title !== 'as it was').map((record) => record.page),
    ).toEqual(['q7']);
  });

  it('goes on when one page cannot be read', async () => {
    await publish(page('a', 'Fine.'), page('b', `${'['.repeat(200_000)}`), page('c', '\u0000\uffff'));
    await run();
    expect(await pagesOf()).toEqual(['a', 'b', 'c']);
  });

  it('is limited to 200,000 characters of one page', async () => {
    await publish(page('long', `${'word '.repeat(120_000)}\n\n## Behind\n\nneedle`));
    await run();
    const { sections } = await pageOf('long');
    expect(sections.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(200_000);
  });
});

describe('a run that is interrupted', () => {
  const many = (text: string) =>
    Array.from({ length: 120 }, (_, i) => page(`p${String(i).padStart(3, '0')}`, `${text} ${i}.`));

  // The hits of a point count on from test to test: the last one dies behind the second batch.
  it.each(['index.begun:1', 'index.written:1', 'index.written:3'])(
    'at %s is repeated, with any later content',
    async (point) => {
      await publish(...many('First'));
      await run();
      await publish(...many('Second'));
      vi.stubEnv('BINDERY_FAULT', `${point}:throw`);
      await expect(run()).rejects.toThrow('Fault');
      vi.unstubAllEnvs();
      // Half of it says the second, and the next content is the first again, but for one page.
      await publish(...many('First').with(5, page('other', 'Third.')));
      expect(await run()).toBe(true);
      const found = await records();
      expect(found).toEqual(await fresh());
      expect(await state()).toMatchObject({ begun: [], pages: 120 });
    },
  );

  it('stops writing when another run has begun', async () => {
    await publish(...Array.from({ length: 1_000 }, (_, i) => page(`p${i}`, `First ${i}.`)));
    const first = run();
    await until('a first batch', () => IndexedPage.exists({ space: space._id }));
    await publish(...many('Second'));
    expect(await run()).toBe(true);
    expect(await first).toBe(false);
    expect(await records()).toEqual(await fresh());
  });

  it('ends when the process stops, and leaves the space to the next run', async () => {
    await publish(...many('First'));
    const stopped = AbortSignal.abort();
    await expect(
      indexSpace(space._id, {
        logger: createLogger(api.config, { app: 'test' }),
        signal: stopped,
        blobs: api.blobs,
      }),
    ).rejects.toThrow('aborted');
    expect(await run()).toBe(true);
    expect(await pagesOf()).toHaveLength(120);
  });
});

describe('the indexer', () => {
  it('processes its requests, and requests the indexes that are missing', async () => {
    expect(await IndexTask.countDocuments({})).toBe(1);
    await indexWhatWaits(api.config);
    expect(await IndexTask.countDocuments({})).toBe(0);
    expect(await requestMissingIndexes(signal)).toBe(0);
    await buildRevision(space, { pages: [page('unasked', 'Text.')] });
    const old = await buildSpace(organization);
    await IndexTask.deleteMany({});
    expect(await requestMissingIndexes(signal)).toBe(2);
    expect(await requestMissingIndexes(signal)).toBe(0);
    await indexWhatWaits(api.config);
    expect(await pagesOf()).toEqual(['unasked']);
    expect(await SpaceIndex.exists({ _id: old._id })).not.toBeNull();
    await SpaceIndex.updateMany({}, { $set: { format: 0 } });
    expect(await requestMissingIndexes(signal)).toBe(2);
  });

  it('ignores a space that is deleted or missing', async () => {
    await changeSpace(space, { deletedAt: new Date() });
    await IndexTask.create({
      _id: newId(),
      organization: organization._id,
      requestedAt: new Date(),
      version: 1,
    });
    await indexWhatWaits(api.config);
    expect(await IndexTask.countDocuments({})).toBe(0);
    expect(await SpaceIndex.countDocuments({})).toBe(0);
  });

  it(
    'in a real process follows a change within two seconds, and a killed one is replaced',
    { timeout: 60_000 },
    async () => {
      const environment = {
        ...process.env,
        MONGODB_URI: api.config.mongo.uri,
        REDIS_URL: api.config.redis.url,
        LOG_LEVEL: 'info',
      };
      const first = await startApp('worker-maintenance', environment);
      await until('the first index', async () => (await state())?.revision === space.revision);
      for (const text of ['One.', 'Two.', 'Three.']) {
        const startedMs = performance.now();
        await publish(page('a', text));
        await until(text, async () => (await records())[0]?.sections[0]?.text === text, { timeoutMs: 5_000 });
        expect(performance.now() - startedMs).toBeLessThan(bound(2_000));
      }
      first.signal('SIGKILL');
      await first.ended;
      await publish(page('a', 'Four.'));
      const second = await startApp('worker-maintenance', environment);
      await until('Four.', async () => (await records())[0]?.sections[0]?.text === 'Four.');
      second.signal('SIGTERM');
      expect(await second.ended).toBe(0);
    },
  );
});
