import {
  jobCollection,
  KindPause,
  type JobRecord,
  revokeApiToken,
  User,
  WebhookDelivery,
  WebhookEndpoint,
  WorkerEntry,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { jobPage } from '../../../apps/api/src/admin/area/jobPage.ts';
import { buildJob, buildOrganization, buildUser } from '../../support/factories.ts';
import { itAsOperator as it, signInOperator } from '../../support/operating.ts';

const hostile = `"><script>alert('x')</script><img src=x onerror=alert(1)> $&`;
const secretUrl = 'https://me:hunter2secret@git.example.org/r.git';
const pages = [
  'jobs',
  'jobs/nothing',
  'jobs/nothing/events',
  'kinds',
  'replays',
  'workers',
  'storage',
  'webhooks',
  'hostnames',
  'spaces',
  'spaces/nothing/restore',
  'sessions',
  'sessions/nothing/end',
  'actions',
];

describe('the pages of the operator’s area', () => {
  it('redirect everybody but operators in a session to the sign-in', async ({
    api,
    admin,
    operator,
    cookie,
  }) => {
    const leaving = await buildUser({ isOperator: true });
    const left = await signInOperator(api, leaving.token);
    await User.updateOne({ _id: leaving.user._id }, { $set: { isOperator: false } });
    const revoked = await buildUser({ isOperator: true });
    const ended = await signInOperator(api, revoked.token);
    await revokeApiToken(revoked.tokenId);
    // Neither an admin of an organization nor a token of an operator in the header of the API.
    expect(await signInOperator(api, admin.token)).toBe('');
    for (const headers of [
      {},
      { cookie: left },
      { cookie: ended },
      { cookie: `${cookie}x` },
      { authorization: `Bearer ${operator.token}` },
    ] as Record<string, string>[])
      for (const page of pages) {
        const answer = await api.call('GET', `/admin/${page}`, { headers });
        expect([page, answer.status, answer.headers.get('location'), answer.text.length < 100]).toEqual([
          page,
          303,
          '/admin/sign-in',
          true,
        ]);
      }
  });

  it('are reached from /admin and from the sign-in', async ({ api, operator }) => {
    expect((await api.call('GET', '/admin')).headers.get('location')).toBe('/admin/jobs');
    const answer = await api.call('POST', '/admin/sign-in', {
      body: new URLSearchParams({ token: operator.token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.headers.get('location')).toBe('/admin/jobs');
  });

  it('may run one script, and load nothing from elsewhere', async ({ open, space }) => {
    const job = await buildJob(space);
    const { headers, text } = await open(`/admin/jobs/${job._id}`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'$/,
    );
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/\son\w+=|\sstyle=|(?:src|href|action)="(?!\/admin|data:,|#)/);
    const ended = await buildJob(space, { state: 'failed' });
    expect((await open(`/admin/jobs/${ended._id}`)).text).not.toContain('<script');
  });

  it('list jobs by the filter in the URL, in pages', async ({ open, space }) => {
    const { organization } = await buildOrganization();
    const pattern = await buildJob(space, { state: 'failed' });
    const jobs = Array.from({ length: 51 }, (_, index): JobRecord => ({
      ...pattern,
      _id: `paged${String(index).padStart(3, '0')}`,
      organization: organization._id,
      error: { class: 'auth', code: 'auth', message: index === 7 ? 'Only this one.' : 'No.' },
      createdAt: new Date(Date.UTC(2026, 0, 1) + index),
    }));
    await jobCollection().insertMany(jobs, { ignoreUndefined: true });
    const found = ({ text }: { text: string }) =>
      [...text.matchAll(/"\/admin\/jobs\/(paged\d+)"/g)].map(([, id]) => id);
    const of = `organization=${organization._id}`;
    const first = await open(`/admin/jobs?${of}&state=failed&kind=`);
    expect(found(first)).toHaveLength(50);
    const next = /<a href="([^"]+)">Older jobs/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await open(next);
    expect([found(second), second.text.includes('Older jobs')]).toEqual([['paged000'], false]);
    expect(found(await open(`/admin/jobs?${of}&error=ONLY+this`))).toEqual(['paged007']);
    expect(found(await open(`/admin/jobs?${of}&state=unfinished`))).toEqual([]);
    expect(found(await open(`/admin/jobs?subject=${space._id}&${of}`))).toHaveLength(50);
    expect((await open(`/admin/jobs?${of}&state=failed&error=only`)).text).toContain('value="only"');
    await jobCollection().deleteMany({ organization: organization._id });
  });

  it('escape hostile texts, and show no secret', async ({ api, open }) => {
    const { organization } = await buildOrganization({ title: hostile });
    const job = {
      _id: 'hostilejob',
      kind: 'git-import',
      queue: 'git',
      version: 1,
      organization: organization._id,
      subject: { type: hostile, id: hostile },
      startedBy: hostile,
      permission: 'space.edit',
      input: { url: secretUrl, text: hostile, token: 'Bearer abcdefghijkl' },
      lane: hostile,
      state: 'failed',
      epoch: 1,
      dispatch: 1,
      dispatchedAt: new Date(),
      tries: 1,
      crashes: 0,
      resourceTries: 0,
      attempts: [
        {
          epoch: 1,
          worker: hostile,
          startedAt: new Date(),
          endedAt: new Date(),
          outcome: 'failed',
          error: { class: 'auth', code: 'auth', message: `${hostile} ${secretUrl}`, action: hostile },
        },
      ],
      stats: { [hostile]: 1 },
      logLines: 0,
      logDropped: 0,
      cancelRequestedAt: null,
      seq: 1,
      error: { class: 'auth', code: 'auth', message: `${hostile} ${secretUrl}`, action: hostile },
      result: { url: secretUrl, hostile },
      createdAt: new Date(),
    };
    await jobCollection().insertOne(job as never);
    const query = new URLSearchParams({ organization: organization._id, error: hostile, subject: hostile });
    for (const path of [
      'jobs',
      'jobs/hostilejob',
      'jobs/hostilejob/retry',
      `jobs?${query.toString()}`,
      `jobs/${encodeURIComponent(hostile)}`,
    ]) {
      const { text } = await open(`/admin/${path}`);
      expect([path, /<script|<img/.exec(text)?.[0]]).toEqual([path, undefined]);
      expect([path, text.includes('hunter2secret') || text.includes('abcdefghijkl')]).toEqual([path, false]);
    }
    expect((await open('/admin/jobs/hostilejob')).text).toContain('&lt;script&gt;alert(&#39;x&#39;)');
    expect(api.logLines.join('')).not.toContain('hunter2secret');
    await jobCollection().deleteOne({ _id: 'hostilejob' });
  });

  it('show a job with its log, newest first, and the reason why it waits', async ({ open, space }) => {
    const log = Array.from({ length: 250 }, (_, index) => ({
      seq: 1,
      at: new Date(),
      level: 'info' as const,
      message: `line ${index}.`,
    }));
    const job = await buildJob(space, { log, progress: { stage: 'fetch', done: 3, total: 10 } });
    const { text } = await open(`/admin/jobs/${job._id}`);
    expect(text).toContain('200 of 250 lines');
    expect(text.indexOf('line 249.')).toBeLessThan(text.indexOf('line 248.'));
    expect(text).not.toContain('line 49.');
    expect(text).toContain('No worker for git-import is running');
    expect(text).toContain(`/admin/queues/queue/git/j-${job._id}-1`);
    expect(text).toMatch(/<progress[^>]* value="3" max="10">/);
    const follower = await buildJob(space, {
      lane: job._id,
      state: 'accepted',
      waiting: { reason: 'lane', message: 'Another job works on it.' },
    });
    const page = await open(`/admin/jobs/${follower._id}`);
    expect(page.text).toMatch(new RegExp(`<dt>Follows</dt><dd><a href="/admin/jobs/${job._id}">`));
  });

  it('link a job to its trace, if a trace viewer is configured', async ({ open, space }) => {
    const traceId = 'c'.repeat(32);
    const job = await buildJob(space, { traceparent: `00-${traceId}-${'d'.repeat(16)}-01` });
    expect((await open(`/admin/jobs/${job._id}`)).text).toMatch(new RegExp(`Trace</dt>\\s*<dd>${traceId}`));
    const { main } = await jobPage(job._id, { viewerUrl: 'https://traces.example.org/{traceId}?x=1&y=2' });
    expect(String(main)).toContain(
      `<a href="https://traces.example.org/${traceId}?x=1&amp;y=2">${traceId}</a>`,
    );
  });

  it('stream the progress of a job to its page until it ends', async ({ api, cookie, space }) => {
    const job = await buildJob(space, { state: 'running', progress: { stage: 'fetch', done: 1, total: 2 } });
    const response = await api.open('GET', `/admin/jobs/${job._id}/events`, { headers: { cookie } });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(
      'data: {"state":"running","text":"fetch: 1 of 2","done":1,"total":2}\n\n',
    );
    await jobCollection().updateOne({ _id: job._id }, { $set: { state: 'failed' }, $inc: { seq: 1 } });
    expect((await reader.read()).value).toContain('"state":"failed"');
    expect((await reader.read()).done).toBe(true);
  });

  it('show workers with their version, kinds and running jobs', async ({ open, space }) => {
    const job = await buildJob(space, { state: 'running', worker: 'worker-1' });
    const soon = new Date(Date.now() + 60_000);
    await WorkerEntry.create({
      _id: 'worker-1',
      app: 'worker-git',
      queues: ['git'],
      kinds: [{ kind: 'git-import', version: 3 }],
      host: 'host-1',
      pid: 7,
      concurrency: 4,
      running: 1,
      runs: [],
      version: '1.2.3',
      startedAt: new Date(),
      seenAt: new Date(),
      toldAt: new Date(),
      expireAt: soon,
    });
    const { text } = await open('/admin/workers');
    for (const part of [
      '1.2.3',
      'host-1, process 7',
      'git-import (input 3)',
      '1 of 4 busy',
      `/admin/jobs/${job._id}`,
    ])
      expect(text).toContain(part);
    expect(text).toContain('worker-pdf: no worker is running');
    await WorkerEntry.deleteMany({});
  });

  it('show failing webhook endpoints without the paths of their URLs', async ({ open, organization }) => {
    const now = new Date();
    await WebhookEndpoint.collection.insertOne({
      _id: 'endpoint1' as never,
      organization: organization._id,
      url: 'https://hooks.example.org/services/T0/secretpath',
      isEnabled: true,
      failingSince: now,
    });
    await WebhookDelivery.create({
      _id: 'delivery1',
      organization: organization._id,
      endpoint: 'endpoint1',
      event: 'event1',
      kind: 'ping',
      payload: '{"secretpayload":1}',
      state: 'pending',
      attempts: [{ at: now, durationMs: 12, status: 500 }],
      nextAttemptAt: now,
      createdAt: now,
      expireAt: new Date(now.getTime() + 60_000),
    });
    const { text } = await open('/admin/webhooks');
    expect(text).toContain('https://hooks.example.org');
    expect(text).toContain('ping, pending: status 500 after 12 ms');
    expect(text).not.toMatch(/secretpath|secretpayload/);
    await WebhookEndpoint.deleteMany({});
    await WebhookDelivery.deleteMany({});
  });

  it('answer 404 with an alert for unknown ids', async ({ open }) => {
    for (const path of [
      'jobs/nothing',
      'jobs/nothing/retry',
      'kinds/nothing/pause',
      'replays/nothing',
      'spaces/nothing/restore',
      'sessions/nothing/end',
    ]) {
      const { status, headers, text } = await open(`/admin/${path}`);
      expect([path, status, headers.get('content-type'), text.includes('role="alert"')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
        true,
      ]);
    }
    expect(await KindPause.countDocuments()).toBe(0);
  });
});
