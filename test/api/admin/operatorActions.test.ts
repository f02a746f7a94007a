import { continueReplays } from '@bindery/jobs';
import { jobCollection, JobReplay, KindPause, OperatorAction } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildJob } from '../../support/factories.ts';
import { itAsOperator as it } from '../../support/operating.ts';

const error = { class: 'auth', code: 'auth', message: 'No.' } as const;
const stateOf = async (id: string) => (await jobCollection().findOne({ _id: id }))?.state;
const actions = async () =>
  (await OperatorAction.find().sort({ at: 1 }).lean()).map(({ operator, action, target, outcome }) => ({
    operator,
    action,
    target,
    outcome,
  }));

const forgetActions = async () => OperatorAction.deleteMany({});

describe('the actions of an operator', () => {
  it('retry a job after a confirmation, and leave a record and a log line', async ({
    api,
    open,
    send,
    operator,
    space,
  }) => {
    await forgetActions();
    const job = await buildJob(space, { state: 'failed', error });
    expect((await open(`/admin/jobs/${job._id}`)).text).toContain(`href="/admin/jobs/${job._id}/retry"`);
    const asked = await open(`/admin/jobs/${job._id}/retry`);
    expect(asked.text).toContain(`<form class="inline" method="post" action="/admin/jobs/${job._id}/retry">`);
    expect(await stateOf(job._id)).toBe('failed');
    const { status, headers } = await send(`/admin/jobs/${job._id}/retry`);
    expect([status, headers.get('location')]).toEqual([303, `/admin/jobs/${job._id}`]);
    expect(await stateOf(job._id)).toBe('queued');
    expect(await actions()).toEqual([
      { operator: operator.user._id, action: 'retry', target: job._id, outcome: 'done' },
    ]);
    const line = api.logLines.find((text) => text.includes('an operator acted') && text.includes(job._id));
    expect(line).toContain(operator.user._id);
    expect((await open('/admin/actions')).text).toContain(job._id);
  });

  it('cancel a job', async ({ send, space }) => {
    const job = await buildJob(space);
    expect((await send(`/admin/jobs/${job._id}/cancel`)).status).toBe(303);
    expect(await stateOf(job._id)).toBe('cancelled');
  });

  it('are refused with the reason where the state does not allow them', async ({ send, operator, space }) => {
    const job = await buildJob(space, { state: 'succeeded' });
    for (const action of ['retry', 'cancel'] as const) {
      const { status, text } = await send(`/admin/jobs/${job._id}/${action}`);
      expect([action, status, text.includes('role="alert"')]).toEqual([action, 409, true]);
      expect((await actions()).at(-1)).toMatchObject({
        operator: operator.user._id,
        action,
        outcome: expect.stringMatching(/^(Only a job that failed|The job has already ended)/),
      });
    }
  });

  it('pause and resume a kind', async ({ open, send, operator, space }) => {
    await forgetActions();
    await buildJob(space);
    expect((await open('/admin/kinds/git-import/pause')).text).toContain('Pause git-import?');
    expect((await send('/admin/kinds/git-import/pause')).headers.get('location')).toBe('/admin/kinds');
    expect(await KindPause.find().lean()).toMatchObject([{ _id: 'git-import', pausedBy: operator.user._id }]);
    expect((await open('/admin/kinds')).text).toMatch(/paused<\/span> since/);
    const job = await buildJob(space);
    expect((await open(`/admin/jobs/${job._id}`)).text).toContain('An operator has paused jobs of this kind');
    expect((await send('/admin/kinds/git-import/resume')).status).toBe(303);
    expect(await KindPause.countDocuments()).toBe(0);
    expect((await send('/admin/kinds/nothing/pause')).status).toBe(404);
    expect((await actions()).map(({ action, target }) => `${action} ${target}`)).toEqual([
      'pause git-import',
      'resume git-import',
    ]);
  });

  it('replay jobs by a filter after a dry run', async ({ open, send, space }) => {
    const jobs = [];
    for (let index = 0; index < 22; index += 1) jobs.push(await buildJob(space, { state: 'failed', error }));
    const filter = { subject: space._id, state: 'failed' };
    expect((await open(`/admin/jobs?${new URLSearchParams(filter).toString()}`)).text).toContain(
      'Prepare a replay of these jobs',
    );
    const prepared = await send('/admin/replays', filter);
    const page = prepared.headers.get('location') ?? '';
    expect([prepared.status, page]).toEqual([303, expect.stringMatching(/^\/admin\/replays\/\w+$/)]);
    const { text } = await open(page);
    expect(text).toContain('Run 22 jobs again');
    expect(text).toContain('The first 20 of 22');
    await continueReplays();
    expect(await stateOf(jobs[0]!._id)).toBe('failed');
    // A second click changes nothing.
    for (let click = 0; click < 2; click += 1)
      expect((await send(`${page}/start`)).headers.get('location')).toBe(page);
    await continueReplays();
    const found = await jobCollection().find({ 'subject.id': space._id }).toArray();
    expect(found.map(({ dispatch, state }) => [dispatch > 1, state === 'failed'])).toEqual(
      found.map(() => [true, false]),
    );
    expect((await open(page)).text).toContain('22, of which 0 could not run again');
    expect((await open('/admin/replays')).text).toContain(page);
    await JobReplay.deleteMany({});
  });

  it('refuse to replay unfinished, succeeded and superseded jobs', async ({ send }) => {
    for (const state of ['', 'running', 'unfinished', 'succeeded', 'superseded', 'x'])
      expect((await send('/admin/replays', { state })).status).toBe(400);
    expect((await send('/admin/replays/nothing/start')).status).toBe(404);
  });

  it('are accepted only from the same origin and in a session', async ({ api, send, space }) => {
    await forgetActions();
    const job = await buildJob(space, { state: 'failed', error });
    const paths = [
      `jobs/${job._id}/retry`,
      `jobs/${job._id}/cancel`,
      'kinds/git-import/pause',
      'replays',
      'replays/x/start',
    ];
    for (const path of paths) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ] as Record<string, string>[])
        expect([path, (await send(`/admin/${path}`, { state: 'failed' }, headers)).status]).toEqual([
          path,
          403,
        ]);
      const unknown = await api.call('POST', `/admin/${path}`);
      expect([path, unknown.status, unknown.headers.get('location')]).toEqual([path, 303, '/admin/sign-in']);
    }
    expect([await stateOf(job._id), await KindPause.countDocuments(), await actions()]).toEqual([
      'failed',
      0,
      [],
    ]);
  });
});
