import { PageHistory, PageHistoryPart } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildMembership, buildOrganization, buildSite } from '../../support/factories.ts';
import { itWithGit as base } from '../../support/git/gitWorker.ts';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';

const author = { name: 'Bob', email: 'ada@example.com' };
const git = { path: 'README.md', updatedAt: '2023-11-14T22:13:20.000Z', lastAuthor: author };

let made = 0;

const it = base
  .extend('repository', async ({ gitServer }) => {
    const files = { 'README.md': '# Home\n\nOne.\n', 'other.md': '# Other\n' };
    const repository = await gitServer.createRepository(`history${(made += 1)}.git`, files);
    await repository.commit({ 'README.md': '# Home\n\nTwo.\n' }, { author: author.name });
    return repository;
  })
  .extend('importAll', ({ api, admin, space, repository }) => async () => {
    const { token } = admin;
    const { headers } = await api.call('POST', `/v1/spaces/${space._id}/git/import`, {
      token,
      json: { url: repository.url, ref: 'refs/heads/main' },
    });
    const { body: job } = await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}?wait=60`, { token });
    expect(job.state).toBe('succeeded');
  })
  .extend(
    'read',
    ({ api, admin, space }) =>
      async (path: string, { token = admin.token, tag }: { token?: string; tag?: string } = {}) =>
        api.call('GET', `/v1/spaces/${space._id}/content${path}`, {
          token,
          headers: tag === undefined ? {} : { 'if-none-match': tag },
        }),
  );

describe('the history of a page in its branch', () => {
  it('is shown with the page, until the space turns it off', async ({
    api,
    admin,
    space,
    importAll,
    read,
  }) => {
    await importAll();
    const pages = async (query = '') => (await read(`/pages${query}`)).body.pages;
    const [page] = await pages();
    expect(page.git).toEqual({ ...git, oid: expect.any(String) });
    const single = await read(`/page/${page.id}`);
    expect(single.body.git).toMatchObject({ ...git, contributors: [author] });
    const url = encodeURIComponent(single.body.urls.app);
    const byUrl = async () =>
      (await api.call('GET', `/v1/urls/content?url=${url}`, { token: admin.token })).body;
    expect((await byUrl()).page.git).toEqual(single.body.git);
    expect((await pages('?metadata=false'))[0]).not.toHaveProperty('git');

    const set = async (gitHistory: boolean | null) =>
      api.call('PATCH', `/v1/spaces/${space._id}`, { token: admin.token, json: { gitHistory } });
    expect((await set(false)).body).toMatchObject({ gitHistory: false });
    expect((await pages())[0].git).toEqual({ path: 'README.md', oid: page.git.oid });
    expect((await byUrl()).page.git).toEqual({ path: 'README.md', oid: page.git.oid });
    expect((await set(null)).body).not.toHaveProperty('gitHistory');
  });

  it('shows no e-mail address to visitors of a site', async ({
    api,
    organization,
    space,
    importAll,
    read,
  }) => {
    await importAll();
    const site = await buildSite(organization, {
      spaces: [space],
      visibility: 'unlisted',
      isPublished: true,
    });
    const token = await contentTokenFor(api, site, {});
    const list = await read('/pages', { token });
    const [page] = list.body.pages;
    const answers = [
      list,
      await read(`/page/${page.id}`, { token }),
      await read(`/path/${page.path}`, { token }),
    ];
    expect(page.git).toMatchObject({ updatedAt: git.updatedAt, lastAuthor: { name: author.name } });
    expect(answers[1]?.body.git.contributors).toEqual([{ name: author.name }]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain('@');
    }
  });

  it('changes the ETag of a page after commits that leave its text unchanged', async ({
    repository,
    importAll,
    read,
  }) => {
    await importAll();
    const first = await read('/page/' + (await read('/pages')).body.pages[0].id);
    const path = `/page/${first.body.id}`;
    const tag = first.headers.get('etag') ?? '';
    expect((await read(path, { tag })).status).toBe(304);
    // Away and back: the text is the same, and its last change another one.
    await repository.commit({ 'README.md': '# Home\n\nThree.\n' }, { author: 'Eve' });
    await repository.commit({ 'README.md': '# Home\n\nTwo.\n' }, { author: 'Eve' });
    await importAll();
    const again = await read(path, { tag });
    expect(again.status).toBe(200);
    expect(again.body.git.lastAuthor.name).toBe('Eve');
  });

  it('is removed when the space is transferred to another organization', async ({
    api,
    admin,
    space,
    importAll,
  }) => {
    await importAll();
    expect(await PageHistory.exists({ space: space._id })).not.toBeNull();
    const { organization } = await buildOrganization();
    await buildMembership(organization, admin, 'create');
    const { status } = await api.call('POST', `/v1/spaces/${space._id}/transfer`, {
      token: admin.token,
      json: { organization: organization._id },
    });
    expect(status).toBeLessThan(300);
    expect(await PageHistory.countDocuments({ space: space._id })).toBe(0);
    expect(await PageHistoryPart.countDocuments({ space: space._id })).toBe(0);
  });
});
