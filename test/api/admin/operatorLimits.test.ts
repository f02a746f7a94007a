import { JobLimit, OperatorAction } from '@bindery/models';
import { afterEach, describe, expect } from 'vitest';
import { buildJob } from '../../support/factories.ts';
import { itAsOperator as it } from '../../support/operating.ts';

const limitsOf = '/admin/kinds/git-import/limits';

afterEach(async () => {
  await JobLimit.deleteMany({});
  await OperatorAction.deleteMany({});
});

describe('the limits of a kind', () => {
  it('are set and cleared by forms, shown, and recorded', async ({
    open,
    send,
    operator,
    organization,
    space,
  }) => {
    await buildJob(space);
    expect((await open(limitsOf)).text).toContain('No limit is set here.');
    const { _id } = organization;
    for (const fields of [
      { for: 'process', limit: '3' },
      { for: 'each', limit: '2' },
      { for: 'one', organization: _id, limit: '0' },
    ] as Record<string, string>[]) {
      const { status, headers } = await send(limitsOf, fields);
      expect([fields, status, headers.get('location')]).toEqual([fields, 303, limitsOf]);
    }
    expect((await open('/admin/kinds')).text).toContain(
      '2 of each organization, 3 in each process, 1 of single organizations',
    );
    const page = await open(limitsOf);
    expect(page.text).toContain(`Clear the 0 for ${_id}`);
    const job = await buildJob(space);
    expect((await open(`/admin/jobs/${job._id}`)).text).toContain(
      'An operator lets no jobs of this kind run',
    );
    for (const fields of [{ for: 'process' }, { for: 'each' }, { for: 'one', organization: _id }] as Record<
      string,
      string
    >[])
      expect((await send(`${limitsOf}/clear`, fields)).status).toBe(303);
    expect(await JobLimit.countDocuments()).toBe(0);
    const actions = await OperatorAction.find().sort({ at: 1 }).lean();
    expect(actions.map(({ action, target, outcome }) => `${action}, ${target}: ${outcome}`)).toEqual([
      'set limit, git-import in each process: 3: done',
      'set limit, git-import of each organization: 2: done',
      `set limit, git-import of ${_id}: 0: done`,
      'clear limit, git-import in each process: done',
      'clear limit, git-import of each organization: done',
      `clear limit, git-import of ${_id}: done`,
    ]);
    expect(new Set(actions.map((one) => one.operator))).toEqual(new Set([operator.user._id]));
    expect((await open('/admin/actions')).text).toContain(`git-import of ${_id}: 0`);
  });

  it('are refused with the reason', async ({ open, send, organization, space }) => {
    await buildJob(space);
    const { _id } = organization;
    for (const [fields, status, message] of [
      [
        { for: 'each', limit: '0' },
        400,
        'To let no job of the kind run for any organization, pause the kind.',
      ],
      [{ for: 'process', limit: 'many' }, 400, 'whole number from 1 to 1000, not &quot;many&quot;'],
      [{ for: 'one', organization: _id, limit: '' }, 400, 'whole number from 0 to 1000'],
      [{ for: 'one', limit: '1' }, 400, 'needs its id'],
      [{ for: 'each', organization: _id, limit: '1' }, 400, 'is not for it alone'],
      [{ limit: '1' }, 400, 'does not say what the limit applies to'],
      [{ for: 'one', organization: '<b>', limit: '1' }, 404, 'no organization with the id &lt;b&gt;'],
    ] as [Record<string, string>, number, string][]) {
      const answer = await send(limitsOf, fields);
      expect([fields, answer.status, answer.text.includes(message)]).toEqual([fields, status, true]);
    }
    expect((await send(`${limitsOf}/clear`, { for: 'each' })).status).toBe(404);
    expect((await send('/admin/kinds/nothing/limits', { for: 'each', limit: '1' })).status).toBe(404);
    expect((await open('/admin/kinds/nothing/limits')).status).toBe(404);
    expect(await JobLimit.countDocuments()).toBe(0);
  });

  it('are changed only from the same origin and in a session', async ({ api, send, space }) => {
    await buildJob(space);
    for (const path of [limitsOf, `${limitsOf}/clear`]) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
      ] as Record<string, string>[])
        expect((await send(path, { for: 'each', limit: '1' }, headers)).status).toBe(403);
      expect((await api.call('POST', path)).headers.get('location')).toBe('/admin/sign-in');
    }
    expect([await JobLimit.countDocuments(), await OperatorAction.countDocuments()]).toEqual([0, 0]);
  });
});
