import { IndexedPage, Space, SpaceIndex, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import { buildSite, buildSiteSpace, buildSpace, type TestPage } from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { indexEverything, indexWhatWaits, publishPages } from '../../support/content/indexing.ts';

const beta = 'visitor.claims.beta == true';
const onBeta = (text: string) => `{% if ${beta} %}\n${text}\n{% endif %}`;
const page = (id: string, source: string, fields: Partial<TestPage> = {}): TestPage =>
  ({ id, title: `Page ${id}`, slug: id, path: id, source, ...fields }) as TestPage;

const it = base
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Guide' }))
  .extend('site', async ({ organization, space }) => {
    const site = await buildSite(organization, { visibility: 'unlisted', isPublished: true });
    await buildSiteSpace(site, { space });
    return site;
  })
  .extend('change', ({ space }) => async (...pages: TestPage[]) => {
    await publishPages((await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord, pages);
  })
  .extend('publish', ({ api, change }) => async (...pages: TestPage[]) => {
    await change(...pages);
    await indexWhatWaits(api.config);
  })
  .extend(
    'tokenWith',
    ({ api, site }) =>
      async (claims: Record<string, unknown>) =>
        contentTokenFor(api, site, { claims }),
  )
  /** Searches in the space and in the site, and expects the same answer. */
  .extend(
    'search',
    ({ api, organization, site, space, admin, tokenWith }) =>
      async (query: string, claims?: Record<string, unknown>) => {
        const token = claims ? await tokenWith(claims) : admin.token;
        const inSpace = await api.call(
          'GET',
          `/v1/spaces/${space._id}/search?query=${encodeURIComponent(query)}`,
          { token },
        );
        const inSite = await api.call('POST', `/v1/orgs/${organization._id}/sites/${site._id}/search`, {
          token,
          json: { query, mode: 'all' },
        });
        expect([inSpace.status, inSite.status, inSpace.body.count]).toEqual([
          200,
          200,
          inSpace.body.items.length,
        ]);
        expect(inSite.body.items.flatMap(({ pages }: { pages: object[] }) => pages)).toEqual(
          inSpace.body.items,
        );
        return inSpace.body.items as {
          id: string;
          score: number;
          sections?: { id: string; title: string; body: string; path: string }[];
        }[];
      },
  );

describe('a page with conditional blocks in the search of a visitor', () => {
  const source = [
    '# Page p\n\nOpen words before.',
    onBeta('Secret words.\n\n## Secret heading\n\nBelow it.'),
    'Open words behind.\n\n## Open heading\n\nPlain.',
    `{% if visitor.claims.plan == "pro" %}\n${onBeta('Deepest words.')}\n\nPaid words.\n{% endif %}`,
  ].join('\n\n');

  it.beforeEach(async ({ publish }) =>
    publish(page('p', source), page('q', '# Page q\n\nOther open words.')),
  );

  it.for([
    ['secret', [{}, { beta: false }, { plan: 'pro' }], { beta: true }],
    ['heading secret', [{}], { beta: true }],
    ['secr', [{}], { beta: true }],
    ['below', [{}], { beta: true }],
    ['paid', [{}, { beta: true }], { plan: 'pro' }],
    ['deepest', [{}, { beta: true }, { plan: 'pro' }], { beta: true, plan: 'pro' }],
    ['deepest secret paid open', [{}], { beta: true, plan: 'pro' }],
  ] as const)(
    'matches %j only for visitors who meet its condition',
    async ([query, others, claims], { search }) => {
      const findsIt = (items: { id: string; sections?: object[] }[]) =>
        items.some(({ sections = [] }) => JSON.stringify(sections).match(/secret|below|paid|deepest/i));
      for (const other of others)
        expect([other, findsIt(await search(query, other))]).toEqual([other, false]);
      expect(findsIt(await search(query, claims))).toBe(true);
      expect(findsIt(await search(query))).toBe(true);
    },
  );

  it('shows excerpts of its open text without the hidden blocks in between', async ({ search }) => {
    const [found] = (await search('open before', {})) as [Awaited<ReturnType<typeof search>>[0]];
    expect(found.sections?.map(({ id, body }) => [id, body])).toEqual([
      ['open-heading', 'Plain.'],
      ['p', 'Open words before. Open words behind.'],
    ]);
    const [all] = (await search('open behind', { beta: true })) as [typeof found];
    expect(all.sections?.find(({ id }) => id === 'secret-heading')).toMatchObject({
      title: 'Secret heading',
      body: 'Below it. Open words behind.',
      path: 'p#secret-heading',
    });
  });

  it('has the same score whatever its blocks contain, and however many pages are hidden', async ({
    publish,
    search,
  }) => {
    const scores = async () => (await search('open words', {})).map(({ id, score }) => [id, score]);
    const before = await scores();
    const hidden = Array.from({ length: 30 }, (_, i) =>
      page(`hidden${i}`, 'Open words.', { condition: beta }),
    );
    const other = source.replaceAll(
      'Secret words.',
      'Open words, open words, and many more of them. '.repeat(20),
    );
    await publish(page('p', other), page('q', '# Page q\n\nOther open words.'), ...hidden);
    expect(await scores()).toEqual(before);
  });

  it('is found by its current content only', async ({ publish, search, space }) => {
    await publish(page('p', '# Page p\n\nAll of it is open, Secret words too.'));
    expect((await search('secret', {})).map(({ id }) => id)).toEqual(['p']);
    expect(await search('deepest', { beta: true, plan: 'pro' })).toEqual([]);
    expect(await IndexedPage.countDocuments({ space: space._id })).toBe(1);
    expect(await SpaceIndex.findById(space._id).lean()).toMatchObject({ pages: 1, openPages: 1 });
    await publish();
    expect(await IndexedPage.countDocuments({ space: space._id })).toBe(0);
    expect(await SpaceIndex.findById(space._id).lean()).toMatchObject({ pages: 0, openPages: 0 });
  });
});

describe('the search of a visitor', () => {
  it.for([
    ['that never ends', '{% if visitor.claims.beta == true %}\n\nSecret words.'],
    ['that begins in a line', 'Open {% if visitor.claims.beta == true %} secret {% endif %} words.'],
    [
      'in a cell',
      '| Head | Two |\n|---|---|\n| {% if visitor.claims.beta == true %} secret {% endif %} | b |',
    ],
    [
      'in the head of a table',
      '| {% if visitor.claims.beta == true %} secret {% endif %} | Two |\n|---|---|\n| a | b |',
    ],
    [
      'in the title of a tab',
      '{% tabs %}\n{% tab title="{% if visitor.claims.beta %}secret{% endif %}" %}\nIn it.\n{% endtab %}\n{% endtabs %}',
    ],
    ['with a dash', '{%- if visitor.claims.beta == true -%}\nSecret words.\n{%- endif -%}'],
    ['without a condition that can be read', '{% if beta is on %}\nSecret words.\n{% endif %}'],
    ['of a variable', '{% if space.vars.secret == 1 %}\nSecret words.\n{% endif %}'],
  ])('finds nothing in a block %s', async ([, source], { publish, search, api, space, tokenWith }) => {
    await publish(page('p', `# Page p\n\nOpen.\n\n${source}`));
    expect(await search('secret', {})).toEqual([]);
    expect(JSON.stringify(await search('page', {}))).not.toMatch(/secret/i);
    expect((await search('secret')).map(({ id }) => id)).toEqual(['p']);
    for (const format of ['markdown', 'document']) {
      const { status, text } = await api.call(
        'GET',
        `/v1/spaces/${space._id}/content/page/p?format=${format}`,
        {
          token: await tokenWith({}),
        },
      );
      expect([format, status, /secret/i.test(text)]).toEqual([format, 200, false]);
    }
  });

  it('finds nothing in an index of an earlier version until it is rebuilt; members find everything', async ({
    api,
    publish,
    search,
    space,
  }) => {
    await publish(page('p', `# Page p\n\nOpen.\n\n${onBeta('Secret words.')}`));
    await IndexedPage.deleteMany({ space: space._id, audience: 'visitors' });
    await IndexedPage.updateMany({ space: space._id }, { $unset: { audience: 1 } });
    await SpaceIndex.updateOne(
      { _id: space._id },
      { $set: { format: 1 }, $unset: { openPages: 1 }, $inc: { version: 1 } },
    );
    for (const claims of [{}, { beta: true }])
      for (const word of ['open', 'secret', 'page']) expect(await search(word, claims)).toEqual([]);
    expect(await search('secret')).toHaveLength(1);
    await indexEverything(api.config);
    expect(
      [await search('open', {}), await search('secret', {}), await search('secret', { beta: true })].map(
        ({ length }) => length,
      ),
    ).toEqual([1, 0, 1]);
    expect(await SpaceIndex.findById(space._id).lean()).toMatchObject({ pages: 1, openPages: 1 });
  });

  it('omits pages that have changed since they were indexed, and finds all others', async ({
    api,
    change,
    publish,
    search,
  }) => {
    const below = [page('below', 'Needle below.')];
    await publish(page('p', 'Needle.'), page('q', 'Needle.', { pages: below }), page('r', 'Needle.'));
    expect(await search('needle', {})).toHaveLength(4);
    await change(
      page('p', onBeta('Needle.')),
      page('q', 'Needle.', { condition: beta, pages: below }),
      page('s', 'Needle.'),
      page('r', 'Needle.'),
    );
    expect((await search('needle', {})).map(({ id }) => id)).toEqual(['r']);
    expect(await search('needle')).toHaveLength(4);
    await indexWhatWaits(api.config);
    expect((await search('needle', {})).map(({ id }) => id).toSorted()).toEqual(['r', 's']);
  });

  it('stays within limits, however many conditions a page has', async ({ publish, search, space }) => {
    const blocks = Array.from(
      { length: 300 },
      (_, i) => `{% if visitor.claims.n == ${i} %}\nword${i}x\n{% endif %}`,
    );
    await publish(page('p', `# Page p\n\n${blocks.join('\n\n')}`));
    expect(await IndexedPage.countDocuments({ space: space._id })).toBeLessThanOrEqual(52);
    expect(await search('word3x', { n: 3 })).toHaveLength(1);
    expect(await search('word3x', { n: 4 })).toEqual([]);
    expect(await search('word299x', { n: 299 })).toEqual([]);
    expect(await search('word299x')).toHaveLength(1);
  });
});
