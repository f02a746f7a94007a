import { describe, expect } from 'vitest';
import { itWithGit as it } from '../../support/git/gitWorker.ts';

describe('the history of a page in its branch', () => {
  it('is shown with the page, until the space turns it off', async ({ api, admin, space, gitServer }) => {
    const repository = await gitServer.createRepository('history.git', { 'README.md': '# Home\n\nOne.\n' });
    await repository.commit({ 'README.md': '# Home\n\nTwo.\n' }, { author: 'Bob' });
    const { token } = admin;
    const { headers } = await api.call('POST', `/v1/spaces/${space._id}/git/import`, {
      token,
      json: { url: repository.url, ref: 'refs/heads/main', force: true },
    });
    const { body: job } = await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}?wait=60`, { token });
    expect(job.state).toBe('succeeded');
    const pages = async (query = '') =>
      (await api.call('GET', `/v1/spaces/${space._id}/content/pages${query}`, { token })).body.pages;
    const [page] = await pages();
    const lastAuthor = { name: 'Bob', email: 'ada@example.com' };
    const git = { path: 'README.md', updatedAt: '2023-11-14T22:13:20.000Z', lastAuthor };
    expect(page.git).toEqual({ ...git, oid: expect.any(String) });
    const single = await api.call('GET', `/v1/spaces/${space._id}/content/page/${page.id}`, { token });
    expect(single.body.git).toMatchObject({ ...git, contributors: [lastAuthor] });
    expect((await pages('?metadata=false'))[0]).not.toHaveProperty('git');

    const set = async (gitHistory: boolean | null) =>
      api.call('PATCH', `/v1/spaces/${space._id}`, { token, json: { gitHistory } });
    expect((await set(false)).body).toMatchObject({ gitHistory: false });
    expect((await pages())[0].git).toEqual({ path: 'README.md', oid: page.git.oid });
    expect((await set(null)).body).not.toHaveProperty('gitHistory');
  });
});
