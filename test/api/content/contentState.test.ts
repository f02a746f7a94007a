import type { SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildFile,
  buildMember,
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
  })
  .extend(
    'build',
    ({ api, organization }) =>
      (list: string[]) =>
        Promise.all(list.map((name) => buildFile(api.blobs, organization._id, { id: `id${name}`, name }))),
  )
  .extend('revision', async ({ space, build }) =>
    buildRevision(space, { files: await build(['a', 'b', 'c', 'd', 'e']) }),
  )
  .extend('withFiles', ({ space, revision: _written }) => space);

describe('entity tags', () => {
  it('lead to a 304 until the content changes', async ({ api, organization, space, read }) => {
    const file = await buildFile(api.blobs, organization._id, { id: 'f' });
    const pages: TestPage[] = [{ id: 'p', title: 'P', source: 'one' }];
    await buildRevision(space, { pages, files: [file] });
    for (const path of [
      '/content',
      '/content/pages',
      '/content/page/p',
      '/content/path/p',
      '/content/files',
      '/content/files/f',
    ]) {
      const first = await read(space, path);
      const tag = first.headers.get('etag') ?? '';
      expect(tag, path).toMatch(/^"[\w-]+"$/);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const again = await read(space, path, { headers: { 'if-none-match': known } });
        expect([path, again.status, again.text, again.headers.get('etag')]).toEqual([path, 304, '', tag]);
      }
      expect((await read(space, path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    }
    const before = (await read(space, '/content/page/p')).headers.get('etag') ?? '';
    await buildRevision(space, { pages: [{ ...pages[0], source: 'two' } as TestPage], files: [file] });
    const after = await read(space, '/content/page/p', { headers: { 'if-none-match': before } });
    expect([after.status, after.body.markdown]).toEqual([200, 'two']);
  });

  it('lead to a 404 for a caller without access', async ({ read, buildContent }) => {
    const space = await buildContent([{ id: 'p' }]);
    const tag = (await read(space, '/content')).headers.get('etag') ?? '';
    const outsider = (await buildOrganization()).admin;
    expect(
      (await read(space, '/content', { token: outsider.token, headers: { 'if-none-match': tag } })).status,
    ).toBe(404);
  });

  it('differ between spaces with the same content, because their URLs differ', async ({
    read,
    buildContent,
  }) => {
    const pages: TestPage[] = [{ id: 'p', title: 'P', source: 'same' }];
    const [one, two] = [await buildContent(pages), await buildContent(pages)];
    for (const path of ['/content', '/content/pages', '/content/page/p']) {
      expect((await read(one, path)).headers.get('etag')).not.toBe(
        (await read(two, path)).headers.get('etag'),
      );
    }
  });
});

describe('the list of files', () => {
  const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

  it('comes in pages', async ({ read, withFiles }) => {
    expect(names((await read(withFiles, '/content/files')).body)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await read(withFiles, '/content/files?limit=0')).body).toEqual({ items: [], count: 5 });
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await read(withFiles, `/content/files?limit=2${page ? `&page=${page}` : ''}`);
      expect(body.count).toBe(5);
      seen.push(...names(body));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await read(withFiles, '/content/files?limit=5')).body).not.toHaveProperty('next');
  });

  it('continues at the same file when the content changes between two pages', async ({
    organization,
    read,
    build,
  }) => {
    const own = await buildSpace(organization);
    await buildRevision(own, { files: await build(['a', 'b', 'c', 'd']) });
    const first = (await read(own, '/content/files?limit=2')).body;
    expect(names(first)).toEqual(['a', 'b']);
    await buildRevision(own, { files: await build(['a', 'a2', 'b', 'c', 'd']) });
    expect(names((await read(own, `/content/files?limit=2&page=${first.next.page}`)).body)).toEqual([
      'c',
      'd',
    ]);
    await buildRevision(own, { files: await build(['a', 'c', 'd']) });
    expect(names((await read(own, `/content/files?limit=2&page=${first.next.page}`)).body)).not.toContain(
      'a',
    );
    await buildRevision(own, { files: [] });
    expect((await read(own, `/content/files?limit=2&page=${first.next.page}`)).body).toEqual({
      items: [],
      count: 0,
    });
  });

  it('refuses page tokens of another list, user, filter or revision, and forged ones', async ({
    api,
    organization,
    reader,
    read,
    withFiles,
    revision,
  }) => {
    const { next } = (await read(withFiles, '/content/files?limit=2')).body;
    const other = await buildSpace(organization);
    const colleague = await buildMember(organization, 'read');
    expect((await read(withFiles, `/content/files?limit=3&page=${next.page}`)).status).toBe(200);
    const decoded = Buffer.from(next.page, 'base64url');
    decoded[0] = (decoded[0] ?? 0) ^ 1;
    for (const answer of [
      await read(withFiles, `/content/files?page=${next.page}`, { token: colleague.token }),
      await read(other, `/content/files?page=${next.page}`),
      await read(withFiles, `/content/files?metadata=false&page=${next.page}`),
      await read(withFiles, `/revisions/${revision._id}/files?page=${next.page}`),
      await api.call('GET', `/v1/orgs/${organization._id}/spaces?page=${next.page}`, { token: reader.token }),
      await read(withFiles, `/content/files?page=${decoded.toString('base64url')}`),
      await read(withFiles, `/content/files?page=${Buffer.from('["ida"]').toString('base64url')}`),
      await read(withFiles, `/content/files?page=${next.page}x`),
      await read(withFiles, '/content/files?page=2'),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.details).toMatchObject([{ path: 'query.page' }]);
    }
  });

  it('finds one file by its id', async ({ read, withFiles, revision }) => {
    expect((await read(withFiles, '/content/files/idc')).body).toMatchObject({
      object: 'file',
      id: 'idc',
      name: 'c',
      size: 7,
    });
    expect((await read(withFiles, '/content/files/nothing')).status).toBe(404);
    expect((await read(withFiles, `/revisions/${revision._id}/files/idc`)).body).toMatchObject({ id: 'idc' });
  });
});
