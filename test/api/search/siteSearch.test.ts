import type { SpaceRecord } from '@bindery/models';
import type { ContentToken } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import {
  buildMember,
  buildOrganization,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
  changeSpace,
  type TestPage,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { indexWhatWaits, publishPages } from '../../support/content/indexing.ts';

const itOnSite = base
  .extend('site', ({ organization }) =>
    buildSite(organization, { visibility: 'unlisted', isPublished: true }),
  )
  /** A space with one page that says `needle`, and further ones. */
  .extend(
    'spaceOf',
    ({ api, organization }) =>
      async (
        title: string,
        fields: Partial<SpaceRecord> = {},
        pages: TestPage[] = [],
      ): Promise<SpaceRecord> => {
        const space = await buildSpace(organization, { title, ...fields });
        const changed = await publishPages(space, [
          { id: `in-${title}`, title: `Needle in ${title}`, slug: 'n', path: 'n' },
          ...pages,
        ]);
        await indexWhatWaits(api.config);
        return changed;
      },
  )
  .extend(
    'tokenFor',
    ({ api, site }) =>
      async (fields: Partial<ContentToken> = {}) =>
        contentTokenFor(api, site, fields),
  )
  .extend(
    'send',
    ({ api, organization, admin, site }) =>
      (body: object, token = admin.token, query = '') =>
        api.call('POST', `/v1/orgs/${organization._id}/sites/${site._id}/search${query}`, {
          token,
          json: { query: 'needle', ...body },
        }),
  )
  .extend('titles', ({ admin, send }) => async (body: object, token = admin.token) => {
    const { status, body: answer } = await send(body, token);
    expect([body, status, answer.count]).toEqual([body, 200, answer.items?.length]);
    return answer.items.map(({ title }: { title: string }) => title).toSorted();
  });

describe('the scope of a search in a site', () => {
  const it = itOnSite.extend(
    'ids',
    { auto: true },
    async ({ api, organization, admin, site, spaceOf }): Promise<Record<string, string>> => {
      for (const name of ['Guide', 'Reference', 'News']) {
        const section = await buildSection(site, { space: await spaceOf(`${name}-en`, { language: 'en' }) });
        if (name !== 'News')
          await buildSiteSpace(site, {
            space: await spaceOf(`${name}-de`, { language: 'de' }),
            section: section._id,
          });
      }
      const { body } = await api.call('GET', `/v1/orgs/${organization._id}/sites/${site._id}/site-spaces`, {
        token: admin.token,
      });
      return Object.fromEntries(
        body.items.map(({ id, title }: { id: string; title: string }) => [title, id]),
      );
    },
  );

  it('is the whole site, named site spaces, or the default site space of each section', async ({
    titles,
    ids,
  }) => {
    expect(await titles({ scope: { mode: 'all' } })).toEqual([
      'Guide-de',
      'Guide-en',
      'News-en',
      'Reference-de',
      'Reference-en',
    ]);
    expect(
      await titles({ scope: { mode: 'specific', siteSpaceIds: [ids['Guide-de'], ids['News-en']] } }),
    ).toEqual(['Guide-de', 'News-en']);
    expect(await titles({ scope: { mode: 'default' } })).toEqual(['Guide-en', 'News-en', 'Reference-en']);
  });

  it('follows the site space that the visitor reads, in its language', async ({ titles, ids }) => {
    const currentSiteSpace = ids['Guide-de'];
    expect(await titles({ scope: { mode: 'default', currentSiteSpace } })).toEqual([
      'Guide-de',
      'News-en',
      'Reference-de',
    ]);
    expect(
      await titles({ scope: { mode: 'default', currentSiteSpace, restrictTo: 'currentSiteSpace' } }),
    ).toEqual(['Guide-de']);
    expect(
      await titles({ scope: { mode: 'default', currentSiteSpace, restrictTo: 'otherSiteSpaces' } }),
    ).toEqual(['News-en', 'Reference-de']);
    expect(await titles({ scope: { mode: 'default', includedSiteSpaces: [currentSiteSpace] } })).toContain(
      'Guide-de',
    );
  });

  it('can be given in the form of earlier versions', async ({ titles, ids }) => {
    expect(await titles({ mode: 'all' })).toHaveLength(5);
    expect(await titles({ mode: 'current', siteSpaceId: ids['Guide-de'] })).toEqual([
      'Guide-de',
      'News-en',
      'Reference-de',
    ]);
    expect(await titles({ mode: 'specific', siteSpaceIds: [ids['Guide-de']] })).toEqual(['Guide-de']);
    expect(await titles({ siteSpaceIds: [ids['Guide-de']] })).toEqual(['Guide-de']);
  });

  it('is refused when it is invalid or names an unknown site space', async ({ send }) => {
    for (const body of [
      {},
      { scope: { mode: 'some' } },
      { scope: { mode: 'specific' } },
      { scope: { mode: 'specific', siteSpaceIds: [] } },
      { scope: { mode: 'specific', siteSpaceIds: ['nowhere'] } },
      { scope: { mode: 'default', restrictTo: 'currentSiteSpace' } },
      { scope: { mode: 'default', currentSiteSpace: 'nowhere' } },
      { mode: 'current' },
      { mode: 'specific' },
      { mode: 'all', query: '' },
      { mode: 'all', query: 'x'.repeat(513) },
    ])
      expect([body, (await send(body)).status]).toEqual([body, 400]);
  });

  it('pages over spaces, with tokens for the same search only', async ({ admin, send }) => {
    const first = (await send({ mode: 'all' }, admin.token, '?limit=3')).body;
    expect([first.count, first.items.length]).toEqual([5, 3]);
    const page = encodeURIComponent(first.next.page);
    const second = (await send({ mode: 'all' }, admin.token, `?limit=3&page=${page}`)).body;
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(5);
    expect((await send({ mode: 'all', query: 'other' }, admin.token, `?limit=3&page=${page}`)).status).toBe(
      400,
    );
  });
});

describe('a search in a site', () => {
  itOnSite(
    'as a visitor finds the pages that the site shows and whose condition is met',
    async ({ api, organization, site, spaceOf, tokenFor, send }) => {
      const conditional = [
        {
          id: 'pro',
          title: 'Needle for some',
          slug: 'pro',
          path: 'pro',
          condition: 'visitor.claims.plan == "pro"',
          pages: [{ id: 'below', title: 'Needle below' }],
        },
      ];
      const open = await spaceOf('Open', { defaultLevel: null }, conditional);
      const closed = await spaceOf('Closed');
      const deleted = await spaceOf('Deleted');
      await spaceOf('Elsewhere');
      await buildSiteSpace(site, { space: open });
      await buildSiteSpace(site, { space: closed, condition: 'visitor.claims.beta' });
      await buildSiteSpace(site, { space: deleted });
      await changeSpace(deleted, { deletedAt: new Date() });
      const seen = async (claims: object) => {
        const { status, body } = await send({ mode: 'all' }, await tokenFor({ claims: { ...claims } }));
        expect([status, body.count]).toEqual([200, body.items.length]);
        return body.items
          .flatMap(({ pages }: { pages: { id: string }[] }) => pages.map(({ id }) => id))
          .toSorted();
      };
      expect(await seen({})).toEqual(['in-Open']);
      expect(await seen({ plan: 'pro' })).toEqual(['below', 'in-Open', 'pro']);
      expect(await seen({ beta: true })).toEqual(['in-Closed', 'in-Open']);
      const inSpace = async (claims: object, { _id } = open) =>
        api.call('GET', `/v1/spaces/${_id}/search?query=needle`, {
          token: await tokenFor({ claims: { ...claims } }),
        });
      expect((await inSpace({})).body.count).toBe(1);
      expect((await inSpace({ plan: 'pro' })).body.count).toBe(3);
      expect((await inSpace({}, closed)).status).toBe(404);
      expect(
        (
          await api.call('GET', `/v1/orgs/${organization._id}/search?query=needle`, {
            token: await tokenFor(),
          })
        ).status,
      ).toBe(403);
    },
  );

  itOnSite('as a visitor finds nothing when the site is closed', async ({ tokenFor, send }) => {
    const token = await tokenFor({ visibility: 'public' });
    expect((await send({ mode: 'all' }, token)).status).toBe(404);
  });

  itOnSite(
    'as a member finds the pages that the member can view, whatever the conditions',
    async ({ organization, site, spaceOf, send, titles }) => {
      const open = await spaceOf('Open');
      const closed = await spaceOf('Closed', { defaultLevel: null });
      await buildSiteSpace(site, { space: open, condition: 'visitor.claims.beta' });
      await buildSiteSpace(site, { space: closed });
      expect(await titles({ mode: 'all' })).toEqual(['Closed', 'Open']);
      const reader = await buildMember(organization, 'read');
      expect(await titles({ mode: 'all' }, reader.token)).toEqual(['Open']);
      const { admin: outsider } = await buildOrganization();
      expect((await send({ mode: 'all' }, outsider.token)).status).toBe(404);
    },
  );
});
