import type { DocumentTree } from '@bindery/contract';
import type { SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildFile,
  buildOrganization,
  buildReusableContent,
  buildRevision,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const noticeSource = '---\ntitle: Notice\n---\n\nSee [the other](../../other.md).\n';
const git = (path: string) => ({ git: { oid: path, path } });
/** All references of a document, in its order. */
const refsOf = (document: DocumentTree) => {
  const refs: unknown[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (key === 'ref') refs.push(value);
    return value;
  });
  return refs;
};
const textOf = (document: DocumentTree) =>
  [...JSON.stringify(document).matchAll(/"text":"([^"]+)"/g)].map(([, text]) => text).join('|');

const it = base
  .extend(
    'read',
    ({ api, reader }) =>
      (
        space: SpaceRecord,
        path: string,
        { token = reader.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
      ) =>
        api.call('GET', `/v1/spaces/${space._id}${path}`, { token, headers }),
  )
  .extend('withNotice', { scope: 'file' }, async ({ organization }) => {
    const withNotice = await buildSpace(organization);
    const notice = await buildReusableContent(organization._id, {
      id: 'notice',
      source: noticeSource,
      ...git('.gitbook/includes/notice.md'),
    });
    await buildRevision(withNotice, {
      pages: [
        {
          id: 'p',
          title: 'Page',
          path: 'in/page',
          source: 'Before.\n\n{% include "../.gitbook/includes/notice.md" %}\n\nAfter.\n',
          ...git('in/page.md'),
        },
        { id: 'other', title: 'Other', path: 'other', ...git('other.md') },
      ],
      reusableContents: [notice],
    });
    return withNotice;
  });

describe('the document of a page', () => {
  it('is the same in every response, and starts after the title of the page', async ({ space, read }) => {
    const page = {
      id: 'p',
      title: 'Page',
      source: '---\ndescription: x\n---\n\n# Page\n\nHello *you*.\n\n## More\n',
      ...git('page.md'),
    };
    const { _id } = await buildRevision(space, {
      pages: [page, { id: 'g', type: 'group', title: 'G', pages: [{ ...page, id: 'q' }] }],
    });
    const { number } = await buildChangeRequest(space);
    const { body: document } = await read(space, '/content/page/p/document');
    expect(document).toMatchObject({
      object: 'document',
      nodes: [
        { object: 'block', type: 'paragraph' },
        { type: 'heading-1', meta: { id: 'more' } },
      ],
    });
    expect(textOf(document)).toBe('Hello |you|.|More');
    for (const place of ['/content', `/change-requests/${number}/content`, `/revisions/${_id}`]) {
      expect((await read(space, `${place}/page/p/document`)).body).toEqual(document);
      for (const path of ['/page/p', '/path/page']) {
        const { body } = await read(space, `${place}${path}?format=document`);
        expect(body).toMatchObject({ id: 'p', document });
        expect(body).not.toHaveProperty('markdown');
      }
      expect((await read(space, `${place}/page/g?format=document`)).text).not.toMatch(/"document":\{/);
    }
  });

  it('is empty for a page without content, and missing for groups and links', async ({ space, read }) => {
    await buildRevision(space, {
      pages: [
        { id: 'empty', title: 'Empty' },
        { id: 'g', type: 'group', title: 'G' },
        { id: 'l', type: 'link', target: { kind: 'url', url: 'https://example.org' } },
      ],
    });
    expect((await read(space, '/content/page/empty/document')).body).toEqual({
      object: 'document',
      data: { schemaVersion: 1 },
      nodes: [],
    });
    expect((await read(space, '/content/page/empty?format=document')).body.document.nodes).toEqual([]);
    for (const id of ['g', 'l']) {
      const { status, body } = await read(space, `/content/page/${id}/document`);
      expect([status, body.error.message]).toEqual([404, expect.stringContaining('has no document')]);
    }
    expect((await read(space, '/content/page/nothing/document')).status).toBe(404);
  });

  it('resolves references to pages, anchors and files in its own revision', async ({
    api,
    organization,
    space,
    read,
  }) => {
    const picture = await buildFile(api.blobs, organization._id, {
      id: 'picture',
      name: 'a.png',
      ...git('.gitbook/assets/a.png'),
    });
    const links = [
      '../other.md',
      '../other.md#more',
      '#here',
      'https://example.org/',
      'gone.md',
      '/broken/pages/gone1',
      '/pages/other',
    ];
    const source = `# Page\n\n${links.map((link) => `[x](${link})`).join(' ')}\n\n![](../.gitbook/assets/a.png)\n`;
    const old = await buildRevision(space, {
      pages: [
        { id: 'p', title: 'Page', path: 'in/page', source, ...git('in/page.md') },
        { id: 'other', title: 'Other', path: 'other', ...git('other.md') },
      ],
      files: [picture],
    });
    const expected = [
      { kind: 'page', page: 'other' },
      { kind: 'anchor', anchor: 'more', page: 'other' },
      { kind: 'anchor', anchor: 'here' },
      { kind: 'url', url: 'https://example.org/' },
      { kind: 'url', url: 'gone.md' },
      { kind: 'page', page: 'gone1' },
      { kind: 'page', page: 'other' },
      { kind: 'file', file: 'picture' },
    ];
    expect(refsOf((await read(space, '/content/page/p/document')).body)).toEqual(expected);
    // The same source in content where the other page has another id, and the picture is gone.
    await buildRevision(space, {
      pages: [
        { id: 'p', title: 'Page', path: 'in/page', source, ...git('in/page.md') },
        { id: 'another', title: 'Other', path: 'other', ...git('other.md') },
      ],
    });
    expect(refsOf((await read(space, '/content/page/p/document')).body).slice(0, 2)).toEqual([
      { kind: 'page', page: 'another' },
      { kind: 'anchor', anchor: 'more', page: 'another' },
    ]);
    expect(refsOf((await read(space, `/revisions/${old._id}/page/p/document`)).body)).toEqual(expected);
  });

  it('refers to pages of other spaces that the caller can view, and changes its entity tag with them', async ({
    organization,
    read,
  }) => {
    const [space, open, secret] = [
      await buildSpace(organization),
      await buildSpace(organization),
      await buildSpace(organization, { defaultLevel: null }),
    ];
    for (const one of [open, secret])
      await buildRevision(one, { pages: [{ id: `in${one._id}`, title: 'There', path: 'there' }] });
    const source = [open, secret].map(({ _id }) => `[x](https://app.gitbook.com/s/${_id}/there)`).join(' ');
    await buildRevision(space, { pages: [{ id: 'p', title: 'Page', source }] });
    const first = await read(space, '/content/page/p/document');
    expect(refsOf(first.body)).toEqual([
      { kind: 'page', page: `in${open._id}`, space: open._id },
      { kind: 'url', url: `https://app.gitbook.com/s/${secret._id}/there` },
    ]);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await read(space, '/content/page/p/document', { headers })).status).toBe(304);
    await buildRevision(open, { pages: [{ id: 'moved', title: 'There', path: 'there' }] });
    expect(refsOf((await read(space, '/content/page/p/document', { headers })).body)[0]).toMatchObject({
      page: 'moved',
    });
    expect((await read(space, '/content/page/p?format=document')).body.document.nodes).toHaveLength(1);
  });

  it('has the values of its variables on request', async ({ space, read }) => {
    const source =
      'Version <code class="expression">space.vars.version</code> of <code class="expression">page.vars.name</code>\n';
    await buildRevision(space, {
      pages: [{ id: 'p', title: 'Page', source, variables: [{ name: 'name', value: 'Bindery' }] }],
      variables: [{ name: 'version', value: '4.2' }],
    });
    const inlines = async (query: string) =>
      (await read(space, `/content/page/p/document?${query}`)).text.includes('"type":"expression"');
    expect(await inlines('')).toBe(true);
    for (const evaluated of ['true', 'deterministic-only']) {
      expect(await inlines(`evaluated=${evaluated}`)).toBe(false);
      const { body } = await read(space, `/content/page/p/document?evaluated=${evaluated}`);
      expect(textOf(body).replaceAll('|', '')).toBe('Version 4.2 of Bindery');
    }
  });

  it('is returned for hostile Markdown too', { timeout: 120_000 }, async ({ space, read }) => {
    const hostile = [
      '> '.repeat(5_000) + 'deep',
      `${'- '.repeat(2_000)}x`,
      '['.repeat(50_000),
      `${'{% hint %}\n'.repeat(3_000)}x`,
      '<div>'.repeat(5_000),
      `| a |\n| - |\n${'| x |\n'.repeat(3_000)}`,
      '*a **b '.repeat(5_000),
      `![x](${'y'.repeat(100_000)})`,
      '`'.repeat(100_001),
      '\u0000\ud800',
    ];
    await buildRevision(space, {
      pages: hostile.map((source, i) => ({ id: `h${i}`, title: `H${i}`, source })),
    });
    for (const [i] of hostile.entries()) {
      for (const query of ['', 'evaluated=true&dereferenced=true']) {
        const { status, body } = await read(space, `/content/page/h${i}/document?${query}`);
        expect([i, status, body.object]).toEqual([i, 200, 'document']);
      }
      for (const refs of ['relative', 'stable'])
        expect(
          (
            await read(
              space,
              `/content/page/h${i}?format=markdown&evaluated=true&format.markdown.refs=${refs}`,
            )
          ).status,
        ).toBe(200);
    }
  });
});

describe('a reusable content', () => {
  it('is read by its id, with its document', async ({ read, withNotice }) => {
    const revision = (await read(withNotice, '/content')).body.id;
    const { _id: changeRequest } = await buildChangeRequest(withNotice);
    for (const place of ['/content', `/change-requests/${changeRequest}/content`, `/revisions/${revision}`]) {
      const { body } = await read(withNotice, `${place}/reusable-contents/notice`);
      expect(body).toEqual({
        id: 'notice',
        title: 'Notice',
        document: expect.stringMatching(/^[0-9a-f]{64}$/),
        git: git('.gitbook/includes/notice.md').git,
      });
      expect(
        (await read(withNotice, `${place}/reusable-contents/notice?metadata=false`)).body,
      ).not.toHaveProperty('git');
      const { body: document } = await read(withNotice, `${place}/reusable-contents/notice/document`);
      expect([textOf(document), refsOf(document)]).toEqual([
        'See |the other|.',
        [{ kind: 'page', page: 'other' }],
      ]);
      expect((await read(withNotice, `/documents/${body.document}`)).body).toEqual(document);
      for (const path of ['', '/document'])
        expect((await read(withNotice, `${place}/reusable-contents/nothing${path}`)).status).toBe(404);
    }
  });

  it('stands in a document as a reference, or as its content when it is dereferenced', async ({
    read,
    withNotice,
  }) => {
    const { body: plain } = await read(withNotice, '/content/page/p/document');
    expect(refsOf(plain)).toEqual([{ kind: 'reusable-content', reusableContent: 'notice' }]);
    expect((await read(withNotice, '/content/page/p/document?dereferenced=false')).body).toEqual(plain);
    for (const dereferenced of ['true', 'reusable-contents']) {
      const { body } = await read(withNotice, `/content/page/p/document?dereferenced=${dereferenced}`);
      expect([textOf(body), refsOf(body)]).toEqual([
        'Before.|See |the other|.|After.',
        [{ kind: 'page', page: 'other' }],
      ]);
    }
    expect((await read(withNotice, '/content/page/p/document?dereferenced=some')).status).toBe(400);
    const { body } = await read(withNotice, '/content/page/p?dereferenced=true');
    expect(body.markdown).toContain('See [the other](../other.md).');
  });
});

describe('a document by its id', () => {
  it('is found only in its own space, also in older revisions', async ({ organization, space, read }) => {
    const deep = { id: newId(), title: 'Deep', source: `# Deep\n\n${newId()}\n` };
    const old = await buildRevision(space, { pages: [{ id: 'a', title: 'A', pages: [deep] }] });
    const { documentId } = (await read(space, `/content/page/${deep.id}`)).body;
    const { body: document } = await read(space, `/content/page/${deep.id}/document`);
    expect((await read(space, `/documents/${documentId}?schema=current`)).body).toEqual(document);
    await buildRevision(space, { pages: [{ id: 'a', title: 'A' }] });
    expect((await read(space, `/revisions/${old._id}/page/${deep.id}`)).body.documentId).toBe(documentId);
    expect((await read(space, `/documents/${documentId}`)).body).toEqual(document);

    const other = await buildSpace(organization);
    const away = await buildOrganization();
    const foreign = await buildSpace(away.organization);
    const secret = await buildSpace(organization, { defaultLevel: null });
    await buildRevision(secret, { pages: [{ ...deep }] });
    expect((await read(other, `/documents/${documentId}`)).status).toBe(404);
    expect((await read(secret, `/documents/${documentId}`)).status).toBe(404);
    expect((await read(space, `/documents/${documentId}`, { token: away.admin.token })).status).toBe(404);
    expect((await read(foreign, `/documents/${documentId}`, { token: away.admin.token })).status).toBe(404);
    for (const id of ['nothing', 'f'.repeat(64), documentId.toUpperCase(), '%00', `${documentId}0`])
      expect((await read(space, `/documents/${id}`)).status, id).toBe(404);
    expect((await read(space, `/documents/${documentId}?schema=old`)).status).toBe(400);
  });
});

describe('the meta links of a page', () => {
  it('come from its frontmatter, without broken and unsafe links', async ({ space, read }) => {
    const yaml =
      'metaLinks:\n  canonical: https://example.org/a\n  alternates: [other.md, gone.md, "javascript:x", "https://example.org/b"]';
    const { _id } = await buildRevision(space, {
      pages: [
        { id: 'p', title: 'Page', path: 'page', source: `---\n${yaml}\n---\n# Page\n`, ...git('page.md') },
        { id: 'other', title: 'Other', path: 'other', ...git('other.md') },
        { id: 'l', type: 'link', target: { kind: 'url', url: 'https://example.org' } },
      ],
    });
    for (const place of ['/content', `/revisions/${_id}`]) {
      expect((await read(space, `${place}/page/p/meta-links`)).body).toEqual({
        canonical: { kind: 'url', url: 'https://example.org/a' },
        alternates: [
          { kind: 'page', page: 'other' },
          { kind: 'url', url: 'https://example.org/b' },
        ],
      });
      for (const id of ['other', 'l'])
        expect((await read(space, `${place}/page/${id}/meta-links`)).body).toEqual({ alternates: [] });
      expect((await read(space, `${place}/page/nothing/meta-links`)).status).toBe(404);
    }
  });
});
