import { Site, SiteSpace, Space } from '@bindery/models';
import { blobKey } from '@bindery/storage';
import { afterEach, describe, expect, vi } from 'vitest';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import {
  buildFile,
  buildReusableContent,
  buildRevision,
  buildSite,
  buildSpec,
  buildSpecVersion,
  type TestPage,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const beta = 'visitor.claims.beta == true';
const onBeta = (text: string) => `{% if ${beta} %}\n\n${text}\n\n{% endif %}`;
const contentIds = ['always', 'inner', 'beta', 'early', 'unused', 'variable'];

const it = base
  .extend('site', ({ organization, space }) =>
    buildSite(organization, { spaces: [space], visibility: 'unlisted', isPublished: true }),
  )
  .extend(
    'tokenWith',
    ({ api, site }) =>
      async (claims: Record<string, unknown> = {}) =>
        contentTokenFor(api, site, { claims }),
  )
  .extend(
    'read',
    ({ api, space }) =>
      (path: string, token: string) =>
        api.call('GET', `/v1/spaces/${space._id}${path}`, { token }),
  );

const page = (id: string, source: string, fields: Partial<TestPage> = {}): TestPage =>
  ({ id, title: id, slug: id, path: id, source, git: { oid: id, path: `${id}.md` }, ...fields }) as TestPage;

describe('files, reusable contents and specifications for a visitor', () => {
  const it2 = it.extend('publish', { auto: true }, async ({ api, organization, space }) => {
    const file = (id: string) =>
      buildFile(api.blobs, organization._id, {
        id,
        name: `${id}.png`,
        bytes: id,
        git: { oid: id, path: `.gitbook/assets/${id}.png` },
      });
    const content = (id: string, source: string) =>
      buildReusableContent(organization._id, { id, source, git: { oid: id, path: `${id}-content.md` } });
    for (const slug of ['always', 'beta', 'early'])
      await buildSpecVersion(await buildSpec(organization, { slug: `${slug}-${space._id.toLowerCase()}` }));
    const show = (id: string) => `![](.gitbook/assets/${id}.png)\n\n{% include "${id}-content.md" %}`;
    const spec = (slug: string) =>
      `{% openapi-operation spec="${slug}-${space._id.toLowerCase()}" path="/" method="get" %}\n{% endopenapi-operation %}`;
    await buildRevision(space, {
      pages: [
        page(
          'start',
          `# start\n\n${show('always')}\n\n${spec('always')}\n\n${onBeta(`${show('beta')}\n\n${spec('beta')}`)}`,
        ),
        page(
          'inline',
          '# inline\n\n![](.gitbook/assets/cell.png) {% if visitor.claims.beta == true %} ![](.gitbook/assets/broken.png) {% endif %}',
        ),
        page('early', `# early\n\n${show('early')}\n\n${spec('early')}`, { condition: beta }),
        page('cover', '# cover', { cover: { ref: { kind: 'file', file: 'cover' }, yPos: 0 } } as never),
        page(
          'variables',
          `# variables\n\n{% if page.vars.open == true %}\n\n{% include "variable-content.md" %}\n\n{% endif %}`,
          {
            variables: [{ name: 'open', value: true }],
          } as never,
        ),
      ],
      files: await Promise.all(
        ['always', 'beta', 'early', 'unused', 'inner', 'cover', 'cell', 'broken'].map(file),
      ),
      reusableContents: await Promise.all([
        content('always', `Always.\n\n{% include "inner-content.md" %}`),
        content('inner', 'Inner.\n\n![](.gitbook/assets/inner.png)'),
        content('beta', 'Beta.'),
        content('early', 'Early.'),
        content('unused', 'Unused.'),
        content('variable', 'Variable.'),
      ]),
    });
  });

  const shownTo = {
    nobody: {
      files: ['always', 'cell', 'cover', 'inner'],
      contents: ['always', 'inner', 'variable'],
      specs: ['always'],
    },
    beta: {
      files: ['always', 'beta', 'cell', 'cover', 'early', 'inner'],
      contents: ['always', 'beta', 'early', 'inner', 'variable'],
      specs: ['always', 'beta', 'early'],
    },
  };

  it2(
    'are found in lists and by id only when a visible page refers to them',
    async ({ tokenWith, read, admin }) => {
      const whole = (await read('/content', admin.token)).body;
      const documents = new Map<string, string>(
        whole.reusableContents.map(({ id, document }: { id: string; document: string }) => [id, document]),
      );
      expect(whole.files).toHaveLength(8);
      for (const [claims, { files, contents }] of [
        [{}, shownTo.nobody],
        [{ beta: true }, shownTo.beta],
      ] as const) {
        const token = await tokenWith(claims);
        const ids = (items: { id: string }[]) => items.map(({ id }) => id).toSorted();
        const { body } = await read('/content', token);
        expect([ids(body.files), ids(body.reusableContents)]).toEqual([files, contents]);
        const list = (await read('/content/files', token)).body;
        expect([list.count, ids(list.items)]).toEqual([files.length, files]);
        const paged = (await read('/content/files?limit=2', token)).body;
        const rest = (await read(`/content/files?limit=50&page=${paged.next.page}`, token)).body;
        expect(ids([...paged.items, ...rest.items])).toEqual(files);
        for (const { id } of whole.files as { id: string }[])
          expect([id, (await read(`/content/files/${id}`, token)).status]).toEqual([
            id,
            (files as string[]).includes(id) ? 200 : 404,
          ]);
        for (const id of contentIds) {
          const ways = [
            `/content/reusable-contents/${id}`,
            `/content/reusable-contents/${id}/document`,
            `/documents/${documents.get(id)}`,
          ];
          for (const way of ways)
            expect([way, (await read(way, token)).status]).toEqual([
              way,
              (contents as string[]).includes(id) ? 200 : 404,
            ]);
        }
      }
    },
  );

  it2(
    'include a specification only when a visible page shows it',
    async ({ api, organization, space, tokenWith }) => {
      for (const [claims, { specs }] of [
        [{}, shownTo.nobody],
        [{ beta: true }, shownTo.beta],
      ] as const) {
        for (const slug of ['always', 'beta', 'early']) {
          const spec = `${slug}-${space._id.toLowerCase()}`;
          const token = await tokenWith(claims);
          const { status, body } = await api.call(
            'GET',
            `/v1/orgs/${organization._id}/openapi/${spec}/versions/latest/content`,
            { token },
          );
          const source = {
            type: 'builtin:openapi',
            props: { doc: 'models' },
            dependencies: { spec: { ref: { kind: 'openapi', spec } } },
          };
          const computed = await api.call('POST', `/v1/spaces/${space._id}/content/computed/document`, {
            token,
            json: { source, seed: 's' },
          });
          const isShown = (specs as string[]).includes(slug);
          if (isShown) expect(body.url).toMatch(/[?&]until=\d+/);
          expect([slug, status, computed.status]).toEqual([slug, isShown ? 200 : 404, isShown ? 200 : 400]);
        }
      }
    },
  );
});

describe('the URL of a file that a visitor gets', () => {
  const itWithFile = it.extend(
    'urlFor',
    ({ api, organization, space, read, tokenWith }) =>
      async (token?: string) => {
        const file = await buildFile(api.blobs, organization._id, {
          id: 'f',
          name: 'a.pdf',
          bytes: 'content',
          git: { oid: 'f', path: 'a.pdf' },
        });
        await buildRevision(space, { pages: [page('start', '[a](a.pdf)')], files: [file] });
        const { body } = await read('/content/files/f', token ?? (await tokenWith()));
        return body.downloadURL as string;
      },
  );
  afterEach(() => vi.useRealTimers());

  itWithFile(
    'serves the file, and expires within 90 minutes; the URL of a member does not expire',
    async ({ api, admin, urlFor }) => {
      const [url, stays] = [await urlFor(), await urlFor(admin.token)];
      const { status, text, headers } = await api.call('GET', url);
      expect([status, text, headers.get('content-disposition')?.split(';')[0]]).toEqual([
        200,
        'content',
        'inline',
      ]);
      const keptSeconds = Number(/^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1]);
      expect(keptSeconds).toBeGreaterThan(3_500);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90 * 60_000 + 1_000 });
      expect(
        [await api.call('GET', url), await api.call('GET', stays)].map((answer) => answer.status),
      ).toEqual([404, 200]);
    },
  );

  itWithFile(
    'cannot be changed to last longer, or to be valid for another site',
    async ({ api, space, site, urlFor }) => {
      const url = await urlFor();
      const others = [
        url.replace(/until=\d+&/, ''),
        url.replace(/until=(\d+)&/, 'until=9999999999&'),
        url.replace(`site=${site._id}&`, ''),
        url.replace(`site=${site._id}&`, `site=${site._id}&preview=1&`),
        url.replace(`space=${space._id}&`, ''),
        url.replace(`site=${site._id}&`, `site=${site._id}&site=${site._id}&`),
      ];
      for (const other of others)
        expect([other, (await api.call('GET', other)).status]).toEqual([other, 404]);
    },
  );

  itWithFile(
    'answers 404 when the space leaves the site, the site is unpublished, or the space is deleted',
    async ({ api, space, site, urlFor }) => {
      const url = await urlFor();
      const status = async () => (await api.call('GET', url)).status;
      for (const [end, back] of [
        [
          () => Site.updateOne({ _id: site._id }, { isPublished: false }),
          () => Site.updateOne({ _id: site._id }, { isPublished: true }),
        ],
        [
          () => Space.updateOne({ _id: space._id }, { isDeleted: true }),
          () => Space.updateOne({ _id: space._id }, { isDeleted: false }),
        ],
        [() => SiteSpace.deleteMany({ site: site._id }), async () => {}],
      ]) {
        expect(await status()).toBe(200);
        await end?.();
        expect(await status()).toBe(404);
        await back?.();
      }
    },
  );

  itWithFile(
    'answers 404 when the bytes were purged after the file was deleted',
    async ({ api, organization, space, urlFor }) => {
      const url = await urlFor();
      await buildRevision(space, { pages: [page('start', 'Nothing.')] });
      const [, , , blob = ''] = new URL(url).pathname.split('/');
      const keys = [blobKey(organization._id, blob)];
      await api.blobs.noteUnreachable(keys);
      await api.blobs.removeUnreachable(keys, new Date(Date.now() + 60_000));
      expect((await api.call('GET', url)).status).toBe(404);
    },
  );
});

describe('a link to a page that is hidden from the visitor', () => {
  const hiddenId = 'HiddenPageHiddenPage';
  it.beforeEach(async ({ space }) => {
    await buildRevision(space, {
      pages: [
        page(
          'start',
          `---\nmetaLinks:\n  canonical: secret-path.md\n  alternates:\n    - open.md\n    - secret-path.md\n---\n\n# start\n\n[one](secret-path.md) [two](/pages/${hiddenId}) [three](secret-path.md#part) [four](open.md)\n\n{% content-ref url="secret-path.md" %}\n[x](secret-path.md)\n{% endcontent-ref %}`,
        ),
        page('secret-path', '# Hidden', { id: hiddenId, title: 'Hidden', condition: beta }),
        page('open', '# open'),
        { type: 'link', id: 'link', title: 'Link', target: { kind: 'page', page: hiddenId } },
        { type: 'link', id: 'good', title: 'Link', target: { kind: 'page', page: 'open' } },
      ],
    });
  });

  it('is broken, without the id or path of the page, in every format', async ({ tokenWith, read, admin }) => {
    const formats = [
      'document',
      'markdown',
      'markdown&format.markdown.refs=stable',
      'markdown&evaluated=false',
    ];
    const ways = [
      ...formats.map((format) => `/content/page/start?format=${format}`),
      '/content/page/start/document',
      '/content/page/start/meta-links',
      '/content/page/link',
      '/content',
      '/content/pages',
    ];
    for (const way of ways) {
      const { status, text } = await read(way, await tokenWith());
      expect([way, status, text.includes(hiddenId), text.includes('secret-path')]).toEqual([
        way,
        200,
        false,
        false,
      ]);
      for (const token of [await tokenWith({ beta: true }), admin.token])
        expect([way, /secret-path|HiddenPage/.test((await read(way, token)).text)]).toEqual([way, true]);
    }
  });

  it('does not change other links', async ({ tokenWith, read }) => {
    const token = await tokenWith();
    const { markdown } = (await read('/content/page/start', token)).body;
    expect(markdown).toContain('[four](open.md)');
    expect(markdown).toContain('[one](broken-reference)');
    expect((await read('/content/page/start/meta-links', token)).body).toEqual({
      alternates: [{ kind: 'page', page: 'open' }],
    });
    const { pages } = (await read('/content', token)).body;
    expect(pages.map(({ id, target }: { id: string; target?: object }) => [id, target])).toEqual([
      ['start', undefined],
      ['open', undefined],
      ['link', { kind: 'url', url: 'broken-reference' }],
      ['good', { kind: 'page', page: 'open' }],
    ]);
  });
});
