import type { OrganizationRecord, RevisionRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/apiServer.ts';
import {
  buildFile,
  buildMember,
  buildOrganization,
  buildRevision,
  buildSpace,
  type TestPage,
  type TestUser,
} from '../support/factories.ts';

let api: TestApi;
let organization: OrganizationRecord;
let reader: TestUser;

beforeAll(async () => {
  api = await startApi();
  ({ organization } = await buildOrganization());
  reader = await buildMember(organization, 'read');
});
afterAll(() => api.close());

const read = (
  space: SpaceRecord,
  path = '',
  { token = reader.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
) => api.call('GET', `/v1/spaces/${space._id}${path}`, { token, headers });

async function buildContent(pages: TestPage[]): Promise<SpaceRecord> {
  const space = await buildSpace(organization);
  await buildRevision(space, { pages });
  return space;
}

describe('entity tags', () => {
  it('spare what the caller has, until the content changes', async () => {
    const file = await buildFile(api.blobs, organization._id, { id: 'f' });
    const space = await buildSpace(organization);
    const pages: TestPage[] = [{ id: 'p', title: 'P', source: 'one' }];
    await buildRevision(space, { pages, files: [file] });
    for (const path of ['/content', '/content/pages', '/content/page/p', '/content/path/p', '/content/files', '/content/files/f']) {
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

  it('are of no use to somebody who may not read', async () => {
    const space = await buildContent([{ id: 'p' }]);
    const tag = (await read(space, '/content')).headers.get('etag') ?? '';
    const outsider = (await buildOrganization()).admin;
    expect((await read(space, '/content', { token: outsider.token, headers: { 'if-none-match': tag } })).status).toBe(404);
  });

  it('differ between spaces with the same content: their URLs do', async () => {
    const pages: TestPage[] = [{ id: 'p', title: 'P', source: 'same' }];
    const [one, two] = [await buildContent(pages), await buildContent(pages)];
    for (const path of ['/content', '/content/pages', '/content/page/p']) {
      expect((await read(one, path)).headers.get('etag')).not.toBe((await read(two, path)).headers.get('etag'));
    }
  });
});

describe('the list of files', () => {
  let space: SpaceRecord;
  let revision: RevisionRecord;
  const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);
  const build = (list: string[]) => Promise.all(list.map((name) => buildFile(api.blobs, organization._id, { id: `id${name}`, name })));

  beforeAll(async () => {
    space = await buildSpace(organization);
    revision = await buildRevision(space, { files: await build(['a', 'b', 'c', 'd', 'e']) });
  });

  it('comes in pages', async () => {
    expect(names((await read(space, '/content/files')).body)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await read(space, '/content/files?limit=0')).body).toEqual({ items: [], count: 5 });
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await read(space, `/content/files?limit=2${page ? `&page=${page}` : ''}`);
      expect(body.count).toBe(5);
      seen.push(...names(body));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await read(space, '/content/files?limit=5')).body).not.toHaveProperty('next');
  });

  it('goes on at the same place when the content changes between two pages', async () => {
    const own = await buildSpace(organization);
    await buildRevision(own, { files: await build(['a', 'b', 'c', 'd']) });
    const first = (await read(own, '/content/files?limit=2')).body;
    expect(names(first)).toEqual(['a', 'b']);
    await buildRevision(own, { files: await build(['a', 'a2', 'b', 'c', 'd']) });
    expect(names((await read(own, `/content/files?limit=2&page=${first.next.page}`)).body)).toEqual(['c', 'd']);
    await buildRevision(own, { files: await build(['a', 'c', 'd']) });
    expect(names((await read(own, `/content/files?limit=2&page=${first.next.page}`)).body)).not.toContain('a');
    await buildRevision(own, { files: [] });
    expect((await read(own, `/content/files?limit=2&page=${first.next.page}`)).body).toEqual({ items: [], count: 0 });
  });

  it('refuses page tokens of another list, user, filter or revision, and forged ones', async () => {
    const { next } = (await read(space, '/content/files?limit=2')).body;
    const other = await buildSpace(organization);
    const colleague = await buildMember(organization, 'read');
    expect((await read(space, `/content/files?limit=3&page=${next.page}`)).status).toBe(200);
    const decoded = Buffer.from(next.page, 'base64url');
    decoded[0] = (decoded[0] ?? 0) ^ 1;
    for (const answer of [
      await read(space, `/content/files?page=${next.page}`, { token: colleague.token }),
      await read(other, `/content/files?page=${next.page}`),
      await read(space, `/content/files?metadata=false&page=${next.page}`),
      await read(space, `/revisions/${revision._id}/files?page=${next.page}`),
      await api.call('GET', `/v1/orgs/${organization._id}/spaces?page=${next.page}`, { token: reader.token }),
      await read(space, `/content/files?page=${decoded.toString('base64url')}`),
      await read(space, `/content/files?page=${Buffer.from('["ida"]').toString('base64url')}`),
      await read(space, `/content/files?page=${next.page}x`),
      await read(space, '/content/files?page=2'),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.details).toMatchObject([{ path: 'query.page' }]);
    }
  });

  it('finds one file', async () => {
    expect((await read(space, '/content/files/idc')).body).toMatchObject({ object: 'file', id: 'idc', name: 'c', size: 7 });
    expect((await read(space, '/content/files/nothing')).status).toBe(404);
    expect((await read(space, `/revisions/${revision._id}/files/idc`)).body).toMatchObject({ id: 'idc' });
  });
});
