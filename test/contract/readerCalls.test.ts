import { createLogger } from '@bindery/runtime';
import { gitJobs, startWorker } from '@bindery/jobs';
import { decodeJwt } from 'jose';
import { describe, expect, vi } from 'vitest';
import { createImportRepository } from '../../apps/worker-git/src/sync/import/importRepository.ts';
import { createRepositoryReader } from '../../apps/worker-git/src/child/repositoryReader.ts';
import { fixtureRepository } from '../support/fixtureRepository.ts';
import { startGitServer } from '../support/git/gitServer.ts';
import { buildSpec, buildSpecVersion } from '../support/factories.ts';
import { it as base, type ClientHarness } from './client/clientHarness.ts';

// GitBook's own reader of published sites, pointed at this API, makes these calls in this order (recorded);
// what it takes from each answer stands here. All but the first are made with the token that the first one
// gave.

type ReadPage = {
  id: string;
  type: string;
  path: string;
  title: string;
  documentId?: string;
  pages?: ReadPage[];
};
/** Blocks that hold nothing, and an embed of what is no URL. */
const hollow = `# Hollow

*

1.

>

{% hint style="info" %}
{% endhint %}

{% tabs %}
{% tab title="A" %}
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
{% endstep %}
{% endstepper %}

<details>

<summary>A</summary>

</details>

| a | b |
| - | - |
| 1 |   |

{% embed url="no url" %}
`;

/** The handbook, and a page of empty blocks. */
function handbookFiles(): Map<string, Uint8Array> {
  const files = fixtureRepository();
  const summary = Buffer.from(files.get('docs/SUMMARY.md') ?? '');
  files.set('docs/SUMMARY.md', Buffer.concat([summary, Buffer.from('* [Hollow](guides/hollow.md)\n')]));
  return files.set('docs/guides/hollow.md', Buffer.from(hollow));
}

const flat = (pages: readonly ReadPage[]): ReadPage[] =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/**
 * Where a URL leads, as the reader finds it out: it asks for every beginning at once and takes the longest
 * that is complete.
 */
async function resolve(client: ClientHarness, url: string) {
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const urls = [origin, ...segments.map((_, i) => `${origin}/${segments.slice(0, i + 1).join('/')}`)];
  const answers = await Promise.all(
    urls.map(async (each) => {
      const body = { url: each, visitor: { unsignedClaims: {}, type: 'human' }, redirectOnError: false };
      return client.call('resolvePublishedContentByUrl', [body], { token: null }).catch(() => undefined);
    }),
  );
  const found = answers.findLast((answer, i) => answer && (i === urls.length - 1 || answer.data.complete));
  if (!found) throw new Error(`Nothing is published at ${url}.`);
  return found.data;
}

const it = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('gitServer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const gitServer = await startGitServer();
    onCleanup(() => gitServer.close());
    return gitServer;
  })
  .extend('environment', { scope: 'file' }, ({ gitServer }) => ({
    BINDERY_OUTBOUND_ALLOW: gitServer.hostPort,
  }))
  .extend('worker', { scope: 'file' }, async ({ api: { config, blobs } }, { onCleanup }) => {
    const reader = createRepositoryReader({ prewarm: true, memoryMb: config.git.memoryMb });
    const worker = await startWorker(
      { importRepository: gitJobs.importRepository },
      { importRepository: createImportRepository({ config, reader, blobs }) },
      {
        app: 'test',
        concurrency: 1,
        config,
        logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
      },
    );
    onCleanup(async () => {
      await worker.stop(0);
      await reader.close();
    });
    return worker;
  })
  /** A published site with one space, which was imported. */
  .extend(
    'handbook',
    { scope: 'file' },
    async ({ client, organization, admin, gitServer, worker: _imports }) => {
      const repository = await gitServer.createRepository('handbook.git', handbookFiles());
      const { data: space } = await client.call('createSpace', [organization._id, { title: 'Handbook' }]);
      const source = { url: repository.url, ref: 'refs/heads/main' };
      const { headers } = await client.api.call('POST', `/v1/spaces/${space.id}/git/import`, {
        token: admin.token,
        json: source,
      });
      const job = await client.api.call('GET', `/v1/jobs/${headers.get('x-job-id')}?wait=60`, {
        token: admin.token,
      });
      expect(job.body.state).toBe('succeeded');
      await buildSpecVersion(await buildSpec(organization, { slug: 'fernhill-api' }));
      const fields = { title: 'Fernhill', spaces: [space.id], visibility: 'unlisted' };
      const { data: site } = await client.call('createSite', [organization._id, fields]);
      const { data } = await client.call('publishSite', [organization._id, site.id]);
      return { space: space.id as string, site: site.id as string, siteUrl: data.urls.published as string };
    },
  )
  .extend('open', ({ client, handbook: { siteUrl } }) => async () => {
    const at = await resolve(client, siteUrl);
    const call = async (operationId: string, parameters: unknown[]) =>
      client.call(operationId, parameters, { token: at.apiToken });
    const refused = async (operationId: string, parameters: unknown[]) =>
      client.refused(operationId, parameters, { token: at.apiToken });
    const { data: space } = await call('getSpaceById', [at.space, {}]);
    const { data: revision } = await call('getRevisionById', [at.space, space.revision, { metadata: true }]);
    return { at, call, refused, space, revision };
  })
  /**
   * Views pages as the reader does: it keeps each answer under the token and what it asked for, and resolves
   * the URL anew each time.
   */
  .extend('viewer', ({ client }) => () => {
    const kept = new Map<string, unknown>();
    return async (url: string) => {
      let calls = new URL(url).pathname.split('/').length;
      const at = await resolve(client, url);
      const call = async (operationId: string, parameters: unknown[]) => {
        const key = JSON.stringify([at.apiToken, operationId, parameters]);
        if (!kept.has(key)) {
          calls += 1;
          kept.set(key, (await client.call(operationId, parameters, { token: at.apiToken })).data);
        }
        return kept.get(key) as any; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
      };
      const site = await call('getPublishedContentSite', [at.organization, at.site, {}]);
      const space = await call('getSpaceById', [at.space, {}]);
      const revision = await call('getRevisionById', [at.space, space.revision, { metadata: true }]);
      const path = decodeURIComponent(at.pathname).slice(1);
      const page = flat(revision.pages).find((each) => each.path === path);
      if (!page) throw new Error(`No page has the path ${path}.`);
      await call('listRevisionPageMetaLinks', [at.space, revision.id, page.id]);
      const query = { evaluated: 'deterministic-only', dereferenced: 'reusable-contents' };
      const document = await call('getPageDocumentInRevisionById', [at.space, revision.id, page.id, query]);
      return { calls, token: at.apiToken as string, site, space, document };
    };
  });

describe('the calls for a first page', () => {
  it('get a content token with the claims that the reader needs', async ({ client, handbook, open }) => {
    const { at } = await open();
    expect(at).toMatchObject({
      organization: client.organization._id,
      site: handbook.site,
      space: handbook.space,
      pathname: '/',
    });
    expect(decodeJwt(at.apiToken)).toMatchObject({
      kind: 'site',
      site: handbook.site,
      space: handbook.space,
      organization: client.organization._id,
    });
    expect((decodeJwt(at.apiToken).exp ?? 0) - Date.now() / 1_000).toBeGreaterThan(120);
    expect((await resolve(client, `${handbook.siteUrl}/start/install`)).pathname).toBe('/start/install');
    // Where the URL stands in the reader's own path, it asks for `https`.
    expect((await resolve(client, handbook.siteUrl.replace('http:', 'https:'))).site).toBe(handbook.site);
  });

  it('get the site with everything that its frame shows', async ({ handbook, open }) => {
    const { at, call } = await open();
    const { data } = await call('getPublishedContentSite', [at.organization, at.site, {}]);
    expect(data.site.urls.published).toBe(handbook.siteUrl);
    expect(data.structure).toMatchObject({
      type: 'siteSpaces',
      structure: [{ id: at.siteSpace, default: true, space: { id: at.space } }],
    });
    expect(Object.keys(data.customizations.siteSpaces)).toEqual([at.siteSpace]);
    expect(data.customizations.site).toMatchObject({
      styling: { theme: expect.any(String) },
      header: { links: [] },
      ai: { mode: 'none' },
    });
    expect(data.scripts).toEqual([]);
  });

  it('get the page tree, the files and the reusable contents of the current revision', async ({
    client,
    open,
  }) => {
    const { space, revision } = await open();
    expect(revision.id).toBe(space.revision);
    const paths = flat(revision.pages).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'readme',
        'first-steps/install',
        'guides-more/概要',
        'guides-more/seasons/winter',
      ]),
    );
    // Its condition is for members of Fernhill.
    expect(paths).not.toContain('whats-new');
    expect(flat(revision.pages).some(({ type }) => type === 'computed')).toBe(true);
    for (const { downloadURL } of revision.files.slice(0, 2))
      expect((await client.api.call('GET', downloadURL)).status).toBe(200);
    expect(revision.reusableContents).toContainEqual(expect.objectContaining({ title: 'Where to ask' }));
    expect(revision.variables).toMatchObject({ product: 'Fernhill' });
  });

  it('get a document whose references are in the page tree, with reusable contents resolved', async ({
    open,
  }) => {
    const { at, call, revision } = await open();
    const [landing] = revision.pages;
    const page = [at.space, revision.id, landing.id];
    expect((await call('listRevisionPageMetaLinks', page)).data).toEqual({
      canonical: { kind: 'url', url: 'https://docs.example.org/' },
      alternates: [],
    });
    const { data } = await call('getPageDocumentInRevisionById', [
      ...page,
      { evaluated: 'deterministic-only', dereferenced: 'reusable-contents' },
    ]);
    const text = JSON.stringify(data);
    const install = flat(revision.pages).find(({ path }) => path === 'first-steps/install');
    const shed = revision.files.find(({ name }: { name: string }) => name === 'the shed@2x.png');
    expect(text).toContain(`{"kind":"page","page":"${install?.id}"}`);
    expect(text).toContain(`{"kind":"file","file":"${shed?.id}"}`);
    expect(text).not.toContain('reusable-content');
    expect(text).toContain('https://community.example.org/');
  });

  it('get methods of an API as headings and code, and URLs without trailing markup', async ({ open }) => {
    const { at, call, revision } = await open();
    const page = flat(revision.pages).find(({ title }) => title === 'API reference');
    const { data } = await call('getPageDocumentInRevisionById', [
      at.space,
      revision.id,
      page?.id,
      { evaluated: 'deterministic-only' },
    ]);
    const types = (data.nodes as { type: string }[]).map(({ type }) => type);
    expect(types).toEqual([
      'paragraph',
      'heading-2',
      'code',
      'paragraph',
      'paragraph',
      'list-unordered',
      'tabs',
      'heading-2',
      'code',
    ]);
    expect(JSON.stringify(data)).toContain('{"kind":"url","url":"https://api.example.org/status"}');
    expect(JSON.stringify(data)).not.toMatch(/\{%|&#/);
  });

  it('match the schemas of the published client', ({ client }) => {
    client.expectValid(
      'resolvePublishedContentByUrl',
      'getPublishedContentSite',
      'getSpaceById',
      'getRevisionById',
    );
    client.expectValid('listRevisionPageMetaLinks', 'getPageDocumentInRevisionById');
  });
});

describe('the calls for a repeated view', () => {
  // The ten minutes for which a token stays the same do not end in between.
  it.beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });

  it('are four instead of nine, because the token is the same', async ({ handbook, viewer }) => {
    const view = viewer();
    const url = `${handbook.siteUrl}/terms`;
    const first = await view(url);
    expect(first.calls).toBe(9);
    expect(await view(url)).toEqual({ ...first, calls: 4 });
  });

  it('show a change at once, because the token is another one', async ({
    client,
    handbook,
    organization,
    viewer,
  }) => {
    const view = viewer();
    const url = `${handbook.siteUrl}/terms`;
    const first = await view(url);
    await client.call('updateSpaceById', [handbook.space, { title: 'Handbook of Fernhill' }]);
    const second = await view(url);
    expect([second.calls, second.space.title]).toEqual([9, 'Handbook of Fernhill']);
    expect(second.token).not.toBe(first.token);
    await client.call('updateSiteCustomizationById', [
      organization._id,
      handbook.site,
      { ...first.site.customizations.site, title: 'Fern' },
    ]);
    expect((await view(url)).site.customizations.site.title).toBe('Fern');
  });
});

describe('the calls for further content', () => {
  it('get every page by its document, by its path in one segment, and as Markdown with stable references', async ({
    client,
    open,
  }) => {
    const { at, call, revision } = await open();
    const documents = flat(revision.pages).filter(({ type }) => type === 'document');
    expect(documents.length).toBeGreaterThan(20);
    for (const { id, path, documentId } of documents) {
      const query = { evaluated: 'deterministic-only', dereferenced: 'reusable-contents' };
      await call('getPageDocumentInRevisionById', [at.space, revision.id, id, query]);
      expect(
        (await call('getPageInRevisionByPath', [at.space, revision.id, encodeURIComponent(path), {}])).data
          .path,
      ).toBe(path);
      const { data } = await call('getPageInRevisionById', [
        at.space,
        revision.id,
        id,
        { format: 'markdown', 'format.markdown.refs': 'stable' },
      ]);
      expect(data).toHaveProperty('markdown');
      if (documentId) await call('getDocumentById', [at.space, documentId, {}]);
    }
    client.expectValid(
      'getPageDocumentInRevisionById',
      'getPageInRevisionByPath',
      'getPageInRevisionById',
      'getDocumentById',
    );
  });

  it('get child pages whose paths start with the path of the parent, also for files in other folders', async ({
    client,
    open,
  }) => {
    const { revision } = await open();
    const below = (page: ReadPage): string[] =>
      (page.pages ?? []).flatMap((child) => [
        ...(child.path === undefined || child.path.startsWith(`${page.path}/`)
          ? []
          : [`${child.path} below ${page.path}`]),
        ...below(child),
      ]);
    expect(revision.pages.flatMap(below)).toEqual([]);
    const paths = flat(revision.pages).flatMap(({ path }) => path ?? []);
    expect(paths).toContain('guides-more/概要');
    expect(new Set(paths).size).toBe(paths.length);
    client.expectValid('getRevisionById');
  });

  it('get the first page as Markdown, by its path and by the empty path', async ({ client, open }) => {
    const { at, call, revision } = await open();
    expect(revision.pages[0].path).toBe('readme');
    for (const path of ['', 'readme']) {
      const { data } = await call('getPageInRevisionByPath', [
        at.space,
        revision.id,
        encodeURIComponent(path),
        { format: 'markdown' },
      ]);
      expect(data).toMatchObject({
        id: revision.pages[0].id,
        path: 'readme',
        markdown: expect.stringContaining('# Fernhill Handbook'),
      });
    }
    client.expectValid('getPageInRevisionByPath');
  });

  it('get a page at its old path, and a redirect to the new one', async ({ client, handbook, open }) => {
    const { at, call, revision } = await open();
    const [old, now] = ['guides/seasons/winter', 'guides-more/seasons/winter'];
    const { data } = await call('getPageInRevisionByPath', [
      at.space,
      revision.id,
      encodeURIComponent(old),
      { format: 'markdown' },
    ]);
    expect(data).toMatchObject({ path: now, markdown: expect.stringContaining('# Winter work') });
    const url = `/v1/spaces/${at.space}/content/path/${old}?metadata=false`;
    const { status, headers } = await client.api.call('GET', url, { token: at.apiToken, redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([307, `../../${now}?metadata=false`]);
    const redirect = await call('getSiteRedirectBySource', [at.organization, at.site, { source: `/${old}` }]);
    expect(redirect.data.target).toBe(`${handbook.siteUrl}/${now}`);
    client.expectValid('getPageInRevisionByPath', 'getSiteRedirectBySource');
  });

  it('get a page with its navigation label as title, and its own heading in the document', async ({
    client,
    open,
  }) => {
    const { at, call, revision } = await open();
    const page = flat(revision.pages).find(({ path }) => path === 'first-steps/first-garden');
    expect(page).toMatchObject({ title: 'First garden' });
    const query = { evaluated: 'deterministic-only' };
    const { data } = await call('getPageDocumentInRevisionById', [at.space, revision.id, page?.id, query]);
    expect(data.nodes[0]).toMatchObject({
      type: 'heading-1',
      nodes: [{ leaves: [{ text: 'Your first garden' }] }],
    });
    client.expectValid('getPageDocumentInRevisionById');
  });

  it('get empty blocks with an empty paragraph each, and a card for an invalid URL', async ({
    client,
    open,
  }) => {
    const { at, call, revision } = await open();
    const page = flat(revision.pages).find(({ title }) => title === 'Hollow');
    const query = { evaluated: 'deterministic-only' };
    const { data } = await call('getPageDocumentInRevisionById', [at.space, revision.id, page?.id, query]);
    expect(JSON.stringify(data)).not.toContain('"nodes":[]');
    expect(data.nodes.at(-1)).toMatchObject({ type: 'embed', data: { url: 'no url' } });
    expect((await call('getEmbedByUrlInSpace', [at.space, { url: 'no url' }])).data).toEqual({
      title: 'no url',
      site: '',
      type: 'link',
    });
    client.expectValid('getPageDocumentInRevisionById', 'getEmbedByUrlInSpace');
  });

  it('get the redirect of an old path, and 404 for an unknown path', async ({ client, handbook, open }) => {
    const { at, call, refused, revision } = await open();
    const { data } = await call('getSiteRedirectBySource', [
      at.organization,
      at.site,
      { source: '/old/winter' },
    ]);
    expect(data.target).toBe(`${handbook.siteUrl}/guides-more/seasons/winter#mulch`);
    expect(
      await refused('getSiteRedirectBySource', [at.organization, at.site, { source: '/never' }]),
    ).toMatchObject({ code: 404 });
    const never = [at.space, revision.id, encodeURIComponent('never/was'), {}];
    expect(await refused('getPageInRevisionByPath', never)).toMatchObject({ code: 404 });
    client.expectValid('getSiteRedirectBySource', 'getPageInRevisionByPath');
  });

  it('get reusable contents, users, link cards and specifications that the site shows', async ({
    client,
    open,
  }) => {
    const { at, call, revision } = await open();
    for (const { id } of revision.reusableContents)
      await call('getReusableContentDocumentInRevisionById', [
        at.space,
        revision.id,
        id,
        { evaluated: 'deterministic-only' },
      ]);
    await call('getEmbedByUrlInSpace', [at.space, { url: 'https://example.org/video' }]);
    await call('getUserById', [client.admin.user._id]);
    // The tree has a computed page of it; another one is nobody's business.
    expect(
      (await call('getLatestOpenAPISpecVersionContent', [at.organization, 'fernhill-api'])).data.filesystem,
    ).toHaveLength(1);
    const secret = await buildSpec(client.organization, { slug: 'secret' });
    await buildSpecVersion(secret);
    const refused = await client.refused(
      'getLatestOpenAPISpecVersionContent',
      [at.organization, secret.slug],
      { token: at.apiToken },
    );
    expect(refused).toMatchObject({ code: 404 });
    client.expectValid(
      'getReusableContentDocumentInRevisionById',
      'getEmbedByUrlInSpace',
      'getUserById',
      'getLatestOpenAPISpecVersionContent',
    );
  });

  it('are refused when they change content or read administrative data', async ({ client, open }) => {
    const { at } = await open();
    for (const [method, path] of [
      ['PATCH', `/spaces/${at.space}`],
      ['POST', `/spaces/${at.space}/change-requests`],
      ['GET', `/orgs/${at.organization}/members`],
      ['GET', `/orgs/${at.organization}/openapi`],
    ] as const)
      expect(
        (
          await client.api.call(method, `/v1${path}`, {
            token: at.apiToken,
            ...(method !== 'GET' && { json: {} }),
          })
        ).status,
      ).toBe(403);
  });
});
