import { ChangeRequest, type ChangeRequestRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildChangeRequest, buildMember } from '../support/factories.ts';

const it = base
  .extend('changeRequest', ({ space }) => buildChangeRequest(space))
  .extend('place', ({ changeRequest: { space, number } }) => `/spaces/${space}/change-requests/${number}`);

describe('the requested reviewers of a change request', () => {
  it('are searched by name, requested, shown and withdrawn', async ({
    atHome,
    organization,
    place,
    changeRequest,
  }) => {
    const { user } = await buildMember(organization, 'comment');
    expect((await atHome.get(place)).text).toContain(`<a href="${place}/reviewers">`);
    const path = `${place}/reviewers`;
    expect((await atHome.get(path)).text).toContain('Nobody was asked.');
    const found = await atHome.get(`${path}?search=${encodeURIComponent(user.email ?? '')}`);
    expect(found.text.match(/<option value="/g)).toHaveLength(1);
    const asked = await atHome.post(path, { user: user._id });
    expect(asked.text).toContain(`<option value="${user._id}"`);
    expect((await atHome.get(place)).text).toContain(`Requested of ${user.displayName}.`);
    const { requestedReviewers } = await ChangeRequest.findById(changeRequest._id)
      .orFail()
      .lean<ChangeRequestRecord>();
    expect(requestedReviewers.map((one) => one.user)).toEqual([user._id]);
    const refused = await atHome.post(path, { user: 'nobody' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('body.users')]);
    const withdrawn = await atHome.post(`${path}/withdraw`, { reviewer: user._id });
    expect(withdrawn.text).toContain('Nobody was asked.');
    expect(withdrawn.text).not.toContain('Withdraw a request');
  });

  it('can review with the role for comments', async ({ server, atHome, organization, place }) => {
    const commenter = await buildMember(organization, 'comment');
    const visitor = server.visitor();
    await visitor.signIn(commenter.token);
    expect((await visitor.get(place)).text).not.toContain('Send the review');
    await atHome.post(`${place}/reviewers`, { user: commenter.user._id });
    expect((await visitor.get(place)).text).toContain('Send the review');
    const { text } = await visitor.post(`${place}/review`, { verdict: 'approved', comment: '' });
    expect(text).toContain(`${commenter.user.displayName} approved it`);
    const reviewers = await visitor.get(`${place}/reviewers`);
    expect([reviewers.status, reviewers.text.match(/<form/g)?.length]).toEqual([200, 1]);
  });
});
