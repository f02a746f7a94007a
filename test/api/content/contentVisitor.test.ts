import { Space, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import {
  buildChangeRequest,
  buildMember,
  buildOrganization,
  buildReusableContent,
  buildRevision,
  buildSite,
  buildSpace,
  type TestPage,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { watchThread } from '../../support/content/watchThread.ts';

const titles = (pages: { title: string; pages?: [] }[]): unknown[] =>
  pages.map(({ title, pages = [] }) => (pages.length > 0 ? [title, titles(pages)] : title));

const beta = 'visitor.claims.beta == true';
const adaptive: TestPage[] = [
  {
    id: 'early',
    title: 'Early',
    path: 'start',
    source: '# Early\n\nFor the brave.\n',
    condition: beta,
    pages: [{ id: 'below', title: 'Below', source: 'Below.\n' }],
  },
  { id: 'start', title: 'Start', path: 'start', source: '# Start\n\nFor all.\n' },
  {
    id: 'group',
    type: 'group',
    title: 'More',
    path: 'more',
    pages: [{ id: 'inside', title: 'Inside', path: 'more/inside', condition: `!(${beta})`, source: 'x' }],
  },
];

const it = base
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Guide' }))
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
      (path: string, token: string, headers: Record<string, string> = {}) =>
        api.call('GET', `/v1/spaces/${space._id}${path}`, { token, headers }),
  );

describe('a page with a condition', () => {
  it.beforeEach(async ({ space }) => {
    await buildRevision(space, { pages: adaptive });
  });

  it('is visible, with the pages below it, to visitors who meet the condition and to members', async ({
    reader,
    space,
    tokenWith,
    read,
  }) => {
    const { revision } = (await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord;
    for (const [claims, shown] of [
      [{}, ['Start', 'More']],
      [{ beta: true }, [['Early', ['Below']], 'Start', 'More']],
      [{ beta: false }, ['Start', ['More', ['Inside']]]],
    ] as const) {
      const token = await tokenWith(claims);
      for (const path of [
        '/content',
        '/content/pages',
        `/revisions/${revision}`,
        `/revisions/${revision}/pages`,
      ])
        expect([path, titles((await read(path, token)).body.pages)]).toEqual([path, shown]);
    }
    expect(titles((await read('/content/pages', reader.token)).body.pages)).toEqual([
      ['Early', ['Below']],
      'Start',
      ['More', ['Inside']],
    ]);
  });

  it('answers 404 to other visitors on every path', async ({ reader, tokenWith, read }) => {
    const token = await tokenWith();
    const { documentId } = (await read('/content/page/early', reader.token)).body;
    const ways = [
      '/content/page/early',
      '/content/page/below',
      '/content/page/early/document',
      '/content/page/early/meta-links',
    ];
    for (const path of [...ways, '/content/path/start/below', `/documents/${documentId}`]) {
      const answer = await read(path, token);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).not.toContain('brave');
      expect((await read(path, await tokenWith({ beta: true }))).status, path).toBe(200);
    }
  });

  it('leaves its path and its place as landing page to the next page when it is hidden', async ({
    tokenWith,
    read,
  }) => {
    for (const path of ['start', '']) {
      expect((await read(`/content/path/${path}`, await tokenWith())).body).toMatchObject({
        id: 'start',
        markdown: '# Start\n\nFor all.\n',
      });
      expect((await read(`/content/path/${path}`, await tokenWith({ beta: true }))).body.id).toBe('early');
    }
  });

  it('shows its condition to members only', async ({ reader, tokenWith, read }) => {
    const token = await tokenWith({ beta: true });
    for (const path of ['/content', '/content/pages', '/content/page/early', '/content/path/start']) {
      expect((await read(path, reader.token)).text).toContain('visitor.claims');
      const answer = await read(path, token);
      expect([path, answer.status, answer.text.includes('visitor.claims')]).toEqual([path, 200, false]);
    }
  });

  it('has other entity tags for visitors with other claims', async ({ tokenWith, read }) => {
    for (const path of [
      '/content',
      '/content/pages',
      '/content/page/start',
      '/content/page/start/document',
    ]) {
      const { headers } = await read(path, await tokenWith({ beta: true }));
      const tag = headers.get('etag') ?? '';
      expect(tag).not.toBe('');
      expect((await read(path, await tokenWith({ beta: true }), { 'if-none-match': tag })).status).toBe(304);
      expect((await read(path, await tokenWith(), { 'if-none-match': tag })).status, path).toBe(200);
    }
  });
});

describe('a document with conditional blocks', () => {
  const source =
    '# Page\n\nFor all.\n\n{% if visitor.claims.beta == true %}\nFor the brave.\n{% endif %}\n\n{% include "notice.md" %}\n';

  it.beforeEach(async ({ organization, space }) => {
    const notice = await buildReusableContent(organization._id, {
      id: 'notice',
      source: 'Notice.\n\n{% if visitor.claims.beta == true %}\nNotice for the brave.\n{% endif %}\n',
      git: { oid: 'o', path: 'notice.md' },
    });
    await buildRevision(space, {
      pages: [{ id: 'p', title: 'Page', source, git: { oid: 'p', path: 'page.md' } }],
      reusableContents: [notice],
    });
  });

  it('hides blocks from visitors who do not meet the condition, in every format', async ({
    reader,
    tokenWith,
    read,
  }) => {
    const { documentId } = (await read('/content/page/p', reader.token)).body;
    const { reusableContents } = (await read('/content', reader.token)).body;
    const ways = [
      '/content/page/p',
      '/content/page/p/document',
      '/content/path/page',
      '/content/reusable-contents/notice/document',
    ];
    const asked = [
      '',
      'evaluated=false',
      'evaluated=true',
      'evaluated=deterministic-only',
      'format=document',
      'format=markdown&evaluated=false',
    ];
    const paths = ways.flatMap((path) =>
      asked.flatMap((query) => [`${path}?${query}`, `${path}?${query}&dereferenced=true`]),
    );
    for (const path of [...paths, `/documents/${documentId}`, `/documents/${reusableContents[0].document}`]) {
      const { status, text } = await read(path, await tokenWith());
      expect([path, status, /brave|visitor\.claims/.test(text)]).toEqual([path, 200, false]);
      const { text: shown } = await read(path, await tokenWith({ beta: true }));
      expect([path, shown.includes('brave'), shown.includes('visitor.claims')]).toEqual([path, true, false]);
    }
  });

  it('hides a missing include from visitors, and reports it to members', async ({
    reader,
    space,
    tokenWith,
    read,
  }) => {
    const missing = '# Page\n\nFor all.\n\n{% include "../includes/gone.md" %}\n';
    await buildRevision(space, {
      pages: [{ id: 'p', title: 'Page', source: missing, git: { oid: 'p', path: 'page.md' } }],
    });
    for (const path of [
      '/content/page/p/document',
      '/content/page/p?format=document',
      '/content/page/p?format=markdown&dereferenced=true',
    ]) {
      const { text } = await read(path, await tokenWith());
      expect([path, text.includes('For all.'), /gone|include/.test(text)]).toEqual([path, true, false]);
      expect([path, (await read(path, reader.token)).text]).toEqual([
        path,
        expect.stringContaining('This page includes ../includes/gone.md, which is not there.'),
      ]);
    }
    // Where includes are not put in, members see the tag.
    const path = '/content/page/p?format=markdown';
    expect((await read(path, reader.token)).text).toContain('gone.md');
    const { text } = await read(path, await tokenWith());
    expect([text.includes('For all.'), /gone|include/.test(text)]).toEqual([true, false]);
  });

  it('does not block the event loop when thousands of its tags never end', async ({
    space,
    tokenWith,
    read,
  }) => {
    const hostile = `# Page\n\nFor all.\n\n{% if visitor.claims.beta == true %}For the brave.\n\n${'{% if '.repeat(33_000)}`;
    await buildRevision(space, { pages: [{ id: 'p', title: 'Page', source: hostile }] });
    const token = await tokenWith();
    const thread = watchThread();
    const { status, text } = await read('/content/page/p?format=document', token);
    thread.stop();
    expect([status, text.includes('brave')]).toEqual([200, false]);
    expect(thread.longestWorkMs()).toBeLessThan(bound(1_000));
  });

  it('is complete for members, unless they ask for its evaluation', async ({ reader, read }) => {
    for (const path of ['/content/page/p', '/content/page/p/document', '/content/page/p?format=document']) {
      const { text } = await read(path, reader.token);
      expect([path, text.includes('visitor.claims'), text.includes('brave')]).toEqual([path, true, true]);
    }
    for (const path of ['/content/page/p/document?evaluated=true', '/content/page/p?evaluated=true']) {
      const { text } = await read(path, reader.token);
      expect([path, text.includes('For all.'), text.includes('brave')]).toEqual([path, true, false]);
    }
    expect((await read('/content/page/p', reader.token)).body.markdown).toBe(source);
  });
});

describe('a visitor of a site', () => {
  it('cannot read change requests', async ({ reader, space, tokenWith, read }) => {
    await buildRevision(space, { pages: [{ id: 'p', title: 'Main', source: 'main' }] });
    const changeRequest = await buildChangeRequest(
      (await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord,
    );
    const token = await tokenWith();
    for (const name of [changeRequest._id, changeRequest.number]) {
      for (const path of [`/change-requests/${name}`, `/change-requests/${name}/content/page/p`]) {
        expect([path, (await read(path, token)).status]).toEqual([path, 404]);
        expect([path, (await read(path, reader.token)).status]).toEqual([path, 200]);
      }
    }
  });

  it('cannot read older revisions, and gets no ids of them', async ({ reader, space, tokenWith, read }) => {
    const old = await buildRevision(space, { pages: [{ id: 'p', title: 'Old', source: 'old text' }] });
    const { documentId } = (await read(`/revisions/${old._id}/page/p`, reader.token)).body;
    await buildRevision(space, { pages: [{ id: 'p', title: 'New', source: 'new text' }] });
    const { body } = await read('/content', await tokenWith());
    expect(body).toMatchObject({ type: 'edits', parents: [] });
    for (const path of [`/revisions/${old._id}`, `/revisions/${old._id}/page/p`])
      expect((await read(path, await tokenWith())).status).toBe(404);
    expect((await read(`/revisions/${body.id}/page/p`, await tokenWith())).status).toBe(200);
    expect((await read(`/documents/${documentId}`, reader.token)).status).toBe(200);
    expect((await read(`/documents/${documentId}`, await tokenWith())).status).toBe(404);
  });

  it('can read members of the organization without their e-mail addresses, while the site is published', async ({
    api,
    organization,
    reader,
    site,
    tokenWith,
  }) => {
    const user = (id: string, token: string) => api.call('GET', `/v1/users/${id}`, { token });
    const { status, body } = await user(reader.user._id, await tokenWith());
    expect([status, body]).toMatchObject([200, { object: 'user', id: reader.user._id, displayName: 'read' }]);
    expect(body).not.toHaveProperty('email');
    expect((await user(reader.user._id, reader.token)).body.email).toBe(reader.user.email);
    const outsider = (await buildOrganization()).admin;
    for (const id of [outsider.user._id, newId()])
      expect((await user(id, await tokenWith())).status).toBe(404);
    const closed = await tokenWith();
    await api.call('POST', `/v1/orgs/${organization._id}/sites/${site._id}/unpublish`, {
      token: (await buildMember(organization, 'admin')).token,
    });
    expect((await user(reader.user._id, closed)).status).toBe(404);
  });
});
