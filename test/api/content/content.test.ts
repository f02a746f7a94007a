import type { SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildFile,
  buildOrganization,
  buildRevision,
  buildSpace,
  type TestPage,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'read',
    ({ api, reader }) =>
      (
        space: SpaceRecord,
        path = '',
        { token = reader.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
      ) =>
        api.call('GET', `/v1/spaces/${space._id}${path}`, { token, headers }),
  )
  .extend('buildContent', ({ organization }) => async (pages: TestPage[]): Promise<SpaceRecord> => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages });
    return space;
  });

describe('the page tree', () => {
  const git = { oid: 'a'.repeat(40), path: 'docs/intro.md' };

  it('shows pages of all types with their members, and no content', async ({ read, buildContent }) => {
    const space = await buildContent([
      {
        id: 'intro',
        title: 'Intro',
        path: 'intro',
        source: '# Intro',
        git,
        linkTitle: 'Start',
        emoji: '1f680',
        icon: 'rocket',
        description: 'How to begin',
        hidden: true,
        noIndex: true,
        noRobotsIndex: true,
        layout: { width: 'wide', cover: false, coverSize: 'full' },
        cover: {
          ref: { kind: 'url', url: 'https://example.org/a.png' },
          refDark: { kind: 'file', file: 'f1' },
          yPos: -12.5,
          heightPixels: 5_000,
        },
        variables: [
          { name: 'name', value: 'x' },
          { name: 'count', value: 3 },
          { name: 'on', value: true },
        ],
        tags: [{ tag: 'new', primary: true }, { tag: 'old' }],
        condition: 'visitor.claims.beta',
        pages: [{ id: 'deep', title: 'Deep', path: 'intro/deep' }],
      },
      {
        id: 'group',
        type: 'group',
        title: 'Guides',
        path: 'guides',
        pages: [{ id: 'inside', title: 'Inside', path: 'guides/inside', source: 'text' }],
      },
      {
        id: 'link',
        type: 'link',
        title: 'Elsewhere',
        linkTitle: 'Out',
        target: { kind: 'url', url: 'https://example.org/x?y=1' },
      },
      {
        id: 'computed',
        type: 'computed',
        title: 'API',
        computed: {
          type: 'builtin:openapi',
          props: { models: true },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
        },
      },
    ]);
    const { status, body } = await read(space, '/content/pages');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['pages']);
    const [intro, group, link, computed] = body.pages;
    const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:05.678Z' };
    expect(intro).toEqual({
      ...times,
      id: 'intro',
      type: 'document',
      kind: 'sheet',
      title: 'Intro',
      slug: 'intro',
      path: 'intro',
      linkTitle: 'Start',
      emoji: '1f680',
      icon: 'rocket',
      description: 'How to begin',
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
      layout: {
        width: 'wide',
        cover: false,
        coverSize: 'full',
        coverMask: 'none',
        title: true,
        description: true,
        tableOfContents: true,
        outline: true,
        pagination: true,
        metadata: true,
        tags: true,
        actions: true,
        anchors: true,
      },
      cover: {
        ref: { kind: 'url', url: 'https://example.org/a.png' },
        refDark: { kind: 'file', file: 'f1' },
        yPos: -12.5,
        height: 700,
      },
      variables: { name: 'x', count: 3, on: true },
      tags: [{ tag: { kind: 'tag', tag: 'new' }, primary: true }, { tag: { kind: 'tag', tag: 'old' } }],
      condition: 'visitor.claims.beta',
      git,
      documentId: expect.stringMatching(/^[0-9a-f]{64}$/),
      urls: { app: `http://api.test/s/${space._id}/intro` },
      pages: [
        expect.objectContaining({
          id: 'deep',
          type: 'document',
          hidden: false,
          noIndex: false,
          noRobotsIndex: false,
          tags: [],
          pages: [],
        }),
      ],
    });
    // A page without content has no document.
    expect(intro.pages[0]).not.toHaveProperty('documentId');
    expect(group).toEqual({
      ...times,
      id: 'group',
      type: 'group',
      kind: 'group',
      title: 'Guides',
      slug: 'guides',
      path: 'guides',
      hidden: false,
      noIndex: false,
      noRobotsIndex: false,
      pages: [expect.objectContaining({ id: 'inside' })],
    });
    expect(link).toEqual({
      ...times,
      id: 'link',
      type: 'link',
      kind: 'link',
      title: 'Elsewhere',
      linkTitle: 'Out',
      target: { kind: 'url', url: 'https://example.org/x?y=1' },
      href: 'https://example.org/x?y=1',
      hidden: false,
    });
    expect(computed).toEqual({
      ...times,
      id: 'computed',
      type: 'computed',
      title: 'API',
      computed: {
        type: 'builtin:openapi',
        props: { models: true },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
      },
    });
    expect(JSON.stringify(body)).not.toMatch(/"markdown"|"document":/);
    expect((await read(space, '/content')).body.pages).toEqual(body.pages);
  });

  it('gives a link page no href for unsafe or unresolved targets', async ({ read, buildContent }) => {
    const targets: [TestPage & { type: 'link' }, string | undefined][] = [
      [{ type: 'link', target: { kind: 'url', url: 'mailto:a@example.org' } }, 'mailto:a@example.org'],
      [{ type: 'link', target: { kind: 'url', url: 'HTTPS://example.org' } }, 'HTTPS://example.org'],
      [{ type: 'link', target: { kind: 'url', url: 'javascript:alert(1)' } }, undefined],
      [{ type: 'link', target: { kind: 'url', url: ' javascript:alert(1)' } }, undefined],
      [{ type: 'link', target: { kind: 'url', url: 'missing.md' } }, undefined],
      [{ type: 'link', target: { kind: 'page', page: 'p' } }, '/s/SPACE/~/pages/p'],
      [{ type: 'link', target: { kind: 'anchor', anchor: 'a b', page: 'p' } }, '/s/SPACE/~/pages/p#a%20b'],
      [{ type: 'link', target: { kind: 'space', space: 'other' } }, '/s/other'],
      [{ type: 'link', target: { kind: 'file', file: 'f' } }, undefined],
    ];
    const space = await buildContent(targets.map(([page]) => page));
    const { body } = await read(space, '/content/pages');
    const expected = targets.map(([, href]) =>
      href?.replace(/^\//, 'http://api.test/').replace('SPACE', space._id),
    );
    expect(body.pages.map(({ href }: { href?: string }) => href)).toEqual(expected);
    const shown = ({ target }: TestPage & { type: 'link' }) =>
      target.kind === 'url' && target.url.includes('script') ? { kind: 'url', url: 'about:blank' } : target;
    expect(body.pages.map(({ target }: { target: object }) => target)).toEqual(
      targets.map(([page]) => shown(page)),
    );
  });

  it('leaves out the git metadata with metadata=false', async ({ api, organization, space, read }) => {
    const file = await buildFile(api.blobs, organization._id, { id: 'f', git });
    await buildRevision(space, {
      pages: [{ id: 'p', source: 'x', git, pages: [{ title: 'Child', source: 'y', git }] }],
      files: [file],
      reusableContents: [{ id: 'r', title: 'R', document: 'd', git }],
      git: { oid: 'c', message: 'm', createdByDocs: false, projectDirectory: '' },
    });
    const paths = [
      '/content',
      '/content/pages',
      '/content/files',
      '/content/files/f',
      '/content/page/p',
      '/content/path/page',
    ];
    for (const path of paths) {
      const whole = await read(space, path);
      const plain = await read(space, `${path}?metadata=false`);
      expect([path, whole.text.includes('"git"'), plain.text.includes('"git"')]).toEqual([path, true, false]);
      expect(plain.headers.get('etag')).not.toBe(whole.headers.get('etag'));
      expect((await read(space, `${path}?metadata=no`)).status).toBe(400);
      expect((await read(space, `${path}?computed=1`)).status).toBe(400);
      expect((await read(space, `${path}?metadata=true&computed=false`)).body).toEqual(whole.body);
    }
  });
});

describe('a revision', () => {
  it('has its pages, files, reusable contents, variables and git metadata in one response', async ({
    api,
    organization,
    space,
    read,
  }) => {
    const file = await buildFile(api.blobs, organization._id, {
      id: 'f',
      name: 'a b.png',
      contentType: 'image/png',
      dimensions: { width: 3, height: 4 },
      bytes: 'png',
    });
    const { _id } = await buildRevision(space, {
      pages: [{ id: 'p', source: '# P' }],
      files: [file],
      reusableContents: [
        { id: 'r', title: 'Notice', document: 'd'.repeat(64), git: { oid: 'o', path: 'notice.md' } },
      ],
      variables: [{ name: 'version', value: '2' }],
      git: {
        oid: 'c'.repeat(40),
        message: 'Write',
        createdByDocs: true,
        url: 'https://example.org/c',
        ref: 'refs/heads/main',
        projectDirectory: 'docs',
        treeUrl: 'https://example.org/t',
      },
    });
    const { body } = await read(space, '/content');
    expect(body).toMatchObject({
      object: 'revision',
      id: _id,
      type: 'edits',
      parents: [space.revision],
      tags: [],
      variables: { version: '2' },
      git: {
        oid: 'c'.repeat(40),
        message: 'Write',
        createdByDocs: true,
        createdByGitBook: true,
        url: 'https://example.org/c',
        ref: 'refs/heads/main',
      },
      reusableContents: [
        { id: 'r', title: 'Notice', document: 'd'.repeat(64), git: { oid: 'o', path: 'notice.md' } },
      ],
      files: [
        {
          object: 'file',
          id: 'f',
          name: 'a b.png',
          contentType: 'image/png',
          size: 3,
          dimensions: { width: 3, height: 4 },
        },
      ],
      urls: { app: `http://api.test/s/${space._id}/~/revisions/${_id}` },
    });
    expect(Object.keys(body.git)).not.toContain('projectDirectory');
    expect((await read(space, `/revisions/${_id}`)).body).toEqual(body);
  });

  it('stays unchanged when the space gets a new revision', async ({ read, buildContent }) => {
    const space = await buildContent([{ id: 'old', title: 'Old', source: 'old text' }]);
    const { body: before } = await read(space, '/content');
    await buildRevision(space, { pages: [{ id: 'new', title: 'New', source: 'new text' }] });
    expect((await read(space, '/content')).body.pages).toMatchObject([{ id: 'new' }]);
    expect((await read(space, `/revisions/${before.id}`)).body).toEqual(before);
    expect((await read(space, `/revisions/${before.id}/page/old`)).body.markdown).toBe('old text');
    expect((await read(space, `/revisions/${before.id}/path/old`)).body.id).toBe('old');
    expect((await read(space, '/content/page/old')).status).toBe(404);
    expect((await read(space, `/revisions/${before.id}/page/new`)).status).toBe(404);
  });

  it('can be read although it was never the main content', async ({ read, buildContent }) => {
    const space = await buildContent([{ id: 'main' }]);
    const { _id } = await buildRevision(space, { pages: [{ id: 'preview', source: 'p' }], publish: false });
    expect((await read(space, '/content')).body.pages).toMatchObject([{ id: 'main' }]);
    for (const [path, shown] of [
      ['', 'preview'],
      ['/pages', 'preview'],
      ['/page/preview', 'preview'],
      ['/path/page', 'preview'],
    ] as const) {
      expect((await read(space, `/revisions/${_id}${path}`)).text).toContain(shown);
    }
  });

  it('answers 404 under another space', async ({ organization, read, buildContent }) => {
    const space = await buildContent([{ id: 'p', source: 'secret' }]);
    const { body } = await read(space, '/content');
    const other = await buildSpace(organization);
    const away = await buildOrganization();
    const foreign = await buildSpace(away.organization);
    for (const path of ['', '/pages', '/files', '/page/p', '/path/page', '/files/f']) {
      expect((await read(other, `/revisions/${body.id}${path}`)).status, path).toBe(404);
      expect(
        (await read(foreign, `/revisions/${body.id}${path}`, { token: away.admin.token })).status,
        path,
      ).toBe(404);
      expect(
        (await read(space, `/revisions/${body.id}${path}`, { token: away.admin.token })).status,
        path,
      ).toBe(404);
    }
    expect((await read(other, '/content/page/p')).status).toBe(404);
  });
});
