import {
  OpenAPISpec,
  Organization,
  Site,
  SiteHost,
  type OrganizationRecord,
  type SiteRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildFile,
  buildOrganization,
  buildReusableContent,
  buildRevision,
  buildSite,
  buildSpace,
  buildSpec,
  buildSpecVersion,
} from '../support/factories.ts';
import { it as base } from '../support/site/siteIt.ts';

// A process remembers where addresses led, and gives the last answer for a moment: neither shows what is
// gone.

type Content = NonNullable<Parameters<typeof buildRevision>[1]>;

const it = base
  .extend('space', async ({ organization }) => buildSpace(organization))
  .extend('askFor', async ({ organization, space, server, hostname }) => {
    const { basename } = await buildSite(organization, { spaces: [space], isPublished: true });
    /** Publishes this, and asks for a page. */
    return async (content: Content, path = '') => {
      await buildRevision(space, content);
      const ask = async () => server.get(`${server.origin}/${hostname}/${basename}${path}`);
      const answer = await ask();
      // Keeps the answer in use, so that it could take the place of the next one.
      await ask();
      return answer;
    };
  })
  .extend(
    'read',
    ({ askFor }) =>
      async (content: Content) =>
        (await askFor(content)).text,
  )
  .extend('siteOf', () => async (organization: OrganizationRecord, word: string, fields = {}) => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages: [{ title: word, path: 'home', source: `About ${word}.` }] });
    return buildSite(organization, { spaces: [space], isPublished: true, ...fields });
  })
  .extend('shownAt', ({ server }) => async (...urls: string[]) => {
    const answers = await Promise.all(
      urls.map(async (url) => server.get(url.startsWith('/') ? server.origin + url : url)),
    );
    return answers.map(({ text }) => /About (\w+)\./.exec(text)?.[1]);
  });

/** Writes fields of two sites, the first one without them before, because they are unique. */
async function swap(one: SiteRecord, other: SiteRecord, field: 'basename' | 'hostname'): Promise<void> {
  const write = async ({ _id }: SiteRecord, value: string | undefined) =>
    Site.updateOne({ _id }, { $set: { [field]: value }, $inc: { version: 1 } });
  await write(one, newId());
  await write(other, one[field]);
  await write(one, other[field]);
}

describe('a page in use shows at the next request', () => {
  const home = (source: string) => [{ id: 'home', title: 'Home', path: 'home', source }];

  it('a change of a reusable content', async ({ organization, read }) => {
    const id = newId();
    const pages = home(`{% include "/reusable-contents/${id}" %}\n`);
    const readWith = async (source: string) => {
      const content = await buildReusableContent(organization._id, { id, source });
      return read({ pages, reusableContents: [content] });
    };
    expect(await readWith('The canary sings.\n')).toContain('canary');
    const after = await readWith('{% if visitor.claims.staff %}\nThe canary sings.\n{% endif %}\n');
    expect(after).not.toContain('canary');
  });

  it('a file that replaced another one', async ({ api, organization, read }) => {
    const id = newId();
    const pages = home(`![Plan](/files/${id})\n`);
    const readWith = async (bytes: string) => {
      const fields = { id, name: 'plan.png', contentType: 'image/png', bytes };
      const file = await buildFile(api.blobs, organization._id, fields);
      return [file.blob.slice(0, 16), await read({ pages, files: [file] })];
    };
    for (const bytes of ['one', 'other']) {
      const [hash, text] = await readWith(bytes);
      expect(text).toContain(hash);
    }
  });

  it('404 when it was deleted, moved or restricted to other visitors', async ({ askFor }) => {
    const at = (name: string) => ({ id: name, title: name, path: name });
    const withChild = (fields: object) => [at('home'), { ...at('parent'), ...fields, pages: [at('child')] }];
    const changes: [path: string, pages: Content['pages']][] = [
      ['/parent', withChild({ condition: 'visitor.claims.staff' })],
      ['/child', withChild({ condition: 'visitor.claims.staff' })],
      ['/parent', withChild({ path: 'elsewhere' })],
      ['/child', [at('home'), at('parent')]],
    ];
    for (const [path, pages] of changes) {
      expect((await askFor({ pages: withChild({}) }, path)).status).toBe(200);
      expect([path, (await askFor({ pages }, path)).status]).toEqual([path, 404]);
    }
  });

  it('a navigation without the pages that were restricted to other visitors', async ({ read }) => {
    const pagesWith = (...conditions: (string | undefined)[]) => [
      ...home('Hello'),
      ...conditions.map((condition, n) => ({ id: `${n}`, title: `Canary ${n}`, path: `${n}`, condition })),
    ];
    const namesIn = async (pages: Content['pages']) =>
      new Set([...(await read({ pages })).matchAll(/Canary (\d)/g)].map(([, n]) => n));
    const staff = 'visitor.claims.staff';
    expect(await namesIn(pagesWith(undefined, undefined))).toEqual(new Set(['0', '1']));
    expect(await namesIn(pagesWith(staff, undefined))).toEqual(new Set(['1']));
    expect(await namesIn(pagesWith(staff, staff))).toEqual(new Set());
  });

  it('no operation of a specification that was deleted', async ({ organization, read }) => {
    const spec = await buildSpec(organization, { slug: newId().toLowerCase() });
    const get = { summary: 'canary-operation', responses: { 200: { description: 'ok' } } };
    const specification = { openapi: '3.1.0', paths: { '/pets': { get } } };
    const entry = { filename: 'openapi.json', dir: '.', isEntrypoint: true, references: [] };
    await buildSpecVersion(spec, { text: spec.slug, files: [{ ...entry, specification }] });
    const pages = home(
      `{% openapi-operation spec="${spec.slug}" path="/pets" method="get" %}\n{% endopenapi-operation %}\n`,
    );
    expect(await read({ pages })).toContain('canary-operation');
    await OpenAPISpec.deleteOne({ _id: spec._id });
    expect(await read({ pages: [...pages, { title: 'More' }] })).not.toContain('canary-operation');
  });

  it('the new value of a variable, and conditions that depend on it', async ({ read }) => {
    const pages = home(
      'It costs <code class="expression">space.vars.price</code>.\n\n{% if space.vars.price == 12 %}\nA dozen.\n{% endif %}\n',
    );
    const readWith = async (price: number) =>
      new Set(
        (await read({ pages, variables: [{ name: 'price', value: price }] })).match(/costs \d+|dozen/g),
      );
    expect(await readWith(12)).toEqual(new Set(['costs 12', 'dozen']));
    expect(await readWith(13)).toEqual(new Set(['costs 13']));
  });
});

describe('an address serves the site that has it now', () => {
  it('when two sites of an organization swap their names', async ({
    organization,
    hostname,
    siteOf,
    shownAt,
  }) => {
    const [one, other] = [await siteOf(organization, 'bread'), await siteOf(organization, 'wine')];
    const at = [one, other].map(({ basename }) => `/${hostname}/${basename}`);
    expect(await shownAt(...at, ...at)).toEqual(['bread', 'wine', 'bread', 'wine']);
    await swap(one, other, 'basename');
    expect(await shownAt(...at, ...at)).toEqual(['wine', 'bread', 'wine', 'bread']);
    await Site.deleteOne({ _id: one._id });
    expect(await shownAt(...at)).toEqual(['wine', undefined]);
    await siteOf(organization, 'beer', { basename: other.basename });
    expect(await shownAt(...at)).toEqual(['wine', 'beer']);
  });

  it('when two tenants swap their hosts, or the names of their organizations', async ({
    siteOf,
    shownAt,
  }) => {
    const [a, b] = [newId().toLowerCase(), newId().toLowerCase()];
    const tenants = await Promise.all([a, b].map(async (hostname) => buildOrganization({ hostname })));
    const [first, second] = tenants.map(({ organization }) => organization) as [
      OrganizationRecord,
      OrganizationRecord,
    ];
    const one = await siteOf(first, 'bread', { hostname: `${a}.test` });
    const other = await siteOf(second, 'wine', { hostname: `${b}.test` });
    // The path of a site with a hostname leads to that, so these have none.
    await siteOf(first, 'bread', { basename: 'docs' });
    await siteOf(second, 'wine', { basename: 'docs' });
    const at = [`http://${a}.test/`, `http://${b}.test/`, `/${a}/docs`, `/${b}/docs`];
    expect(await shownAt(...at)).toEqual(['bread', 'wine', 'bread', 'wine']);
    await swap(one, other, 'hostname');
    expect(await shownAt(...at)).toEqual(['wine', 'bread', 'bread', 'wine']);
    const rename = async ({ _id }: OrganizationRecord, hostname: string) =>
      Organization.updateOne({ _id }, { $set: { hostname }, $inc: { version: 1 } });
    await rename(first, newId().toLowerCase());
    expect(await shownAt(...at)).toEqual(['wine', 'bread', undefined, 'wine']);
    await rename(second, a);
    expect(await shownAt(...at)).toEqual(['wine', 'bread', 'wine', undefined]);
    // The id of the first one is no name for the second one.
    await rename(second, first._id);
    expect(await shownAt(`/${first._id}/docs`)).toEqual(['bread']);
  });

  it('when a host is verified by another organization', async ({ siteOf, shownAt }) => {
    const host = `${newId().toLowerCase()}.test`;
    const [{ organization: first }, { organization: second }] = await Promise.all([
      buildOrganization(),
      buildOrganization(),
    ]);
    await siteOf(first, 'bread', { proxy: `${host}/docs` });
    await siteOf(second, 'wine', { proxy: `${host}/docs` });
    const prove = async ({ _id: organization }: OrganizationRecord) => {
      await SiteHost.deleteMany({ host });
      await SiteHost.create({
        _id: `${host}/${organization}`,
        host,
        organization,
        sites: [],
        claimedAt: new Date(),
        provenAt: new Date(),
      });
    };
    const at = [`http://${host}/docs`, `http://${host}/docs/`, `http://${host}/other`];
    expect(await shownAt(...at)).toEqual([undefined, undefined, undefined]);
    await prove(first);
    expect((await shownAt(...at))[0]).toBe('bread');
    await prove(second);
    expect((await shownAt(...at))[0]).toBe('wine');
  });
});
