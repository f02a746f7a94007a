import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { itWithGit as base } from '../../support/git/gitWorker.ts';
import { pushRequests } from '../../support/git/hooks/pushEvents.ts';

// From a push to the page, without a script between them.

const login = { username: 'reader', password: 'c4n4ry-of-the-hook' };
const ref = 'refs/heads/main';

const it = base
  .extend('repository', async ({ gitServer }) => {
    gitServer.options.login = login;
    return gitServer.createRepository('docs/handbook.git', { 'README.md': '# Home\n\nFirst.\n' });
  })
  /** Sends the event of a push, and waits for the end of its import. */
  .extend('pushed', async ({ api, creator, space, repository }) => {
    const { body: hook } = await api.call('PUT', `/v1/spaces/${space._id}/git/hook`, {
      token: creator.token,
      json: { url: repository.url.replace('http://', `http://${login.username}:${login.password}@`), ref },
    });
    return async () => {
      const request = pushRequests['github']!({ repository: 'docs/handbook', ref, secret: hook.secret });
      const { status, body } = await api.call('POST', `/v1/spaces/${space._id}/git/hook`, {
        token: null,
        ...request,
      });
      expect(status).toBe(202);
      const path = `/v1/jobs/${body.jobId}?wait=60`;
      return (await api.call('GET', path, { token: creator.token })).body;
    };
  })
  .extend('pageText', ({ api, reader, space }) => async () => {
    const path = `/v1/spaces/${space._id}/content/path/readme?format=markdown`;
    return (await api.call('GET', path, { token: reader.token })).body.markdown as string;
  });

describe('a hook of a repository with a login', () => {
  it('imports each push into the space', async ({ repository, pushed, pageText }) => {
    expect(await pushed()).toMatchObject({ state: 'succeeded' });
    expect(await pageText()).toContain('First.');
    await repository.commit({ 'README.md': '# Home\n\nSecond.\n' });
    expect(await pushed()).toMatchObject({ state: 'succeeded' });
    expect(await pageText()).toContain('Second.');
  });

  it('does nothing for a push that the space already has, such as the push of its own export', async ({
    api,
    creator,
    space,
    repository,
    pushed,
  }) => {
    await repository.commit({ 'README.md': '# Home\n\nText.\n' });
    await pushed();
    const url = repository.url.replace('http://', `http://${login.username}:${login.password}@`);
    const before = await repository.oid(ref);
    const { headers } = await api.call('POST', `/v1/spaces/${space._id}/git/export`, {
      token: creator.token,
      json: { url, ref, commitMessage: 'Export' },
    });
    await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}?wait=60`, { token: creator.token });
    expect(await pushed()).toMatchObject({ state: 'succeeded', result: { unchanged: true } });
    expect(await repository.oid(ref)).toBe(before);
  });

  it('imports again at the next push after a failed import', async ({
    gitServer,
    repository,
    pushed,
    pageText,
  }) => {
    await repository.commit({ 'README.md': '# Home\n\nThird.\n' });
    gitServer.options.login = { ...login, password: 'changed' };
    expect(await pushed()).toMatchObject({ state: 'failed', error: { code: 'auth' } });
    gitServer.options.login = login;
    expect(await pushed()).toMatchObject({ state: 'succeeded' });
    expect(await pageText()).toContain('Third.');
    expect(JSON.stringify(await jobCollection().find().toArray())).not.toContain(login.password);
  });
});
