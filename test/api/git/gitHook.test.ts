import { readdirSync } from 'node:fs';
import { GitCredential, GitHook, jobCollection, Member, Space } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect, onTestFinished } from 'vitest';
import { openCredential } from '../../../apps/worker-git/src/sync/credential.ts';
import { watchThread } from '../../support/content/watchThread.ts';
import { buildMember, buildMembership, buildOrganization, buildSpace } from '../../support/factories.ts';
import {
  bitbucketEvent,
  githubPush,
  pushRequests,
  recordedGiteaPush,
  recordedSecret,
  type HookRequest,
} from '../../support/git/hooks/pushEvents.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { oplogPosition, writesSince } from '../../support/stores/oplog.ts';
import { until } from '../../support/until.ts';

const settings = { url: 'https://git.example.org/docs/handbook.git', ref: 'refs/heads/main' };
const push = { repository: 'docs/handbook', ref: settings.ref };

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend(
    'setHook',
    ({ api, creator, space }) =>
      (json: object = settings, { token } = creator, { _id } = space) =>
        api.call('PUT', `/v1/spaces/${_id}/git/hook`, { token, json }),
  )
  .extend(
    'getHook',
    ({ api, creator, space }) =>
      async (id = space._id) =>
        (await api.call('GET', `/v1/spaces/${id}/git/hook`, { token: creator.token })).body,
  )
  .extend(
    'send',
    ({ api, space }) =>
      (request: HookRequest, id = space._id) =>
        api.call('POST', `/v1/spaces/${id}/git/hook`, { token: null, ...request }),
  );

describe('PUT /v1/spaces/{spaceId}/git/hook', () => {
  it('creates a secret that only the first response shows', async ({ creator, space, setHook, getHook }) => {
    const { status, body } = await setHook({ ...settings, repoProjectDirectory: '/guide/' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'git-hook',
      payloadURL: `http://api.test/v1/spaces/${space._id}/git/hook`,
      ...settings,
      repoProjectDirectory: 'guide',
      hasCredentials: false,
      setBy: creator.user._id,
      events: [],
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    expect((await setHook({ ...settings, onConflict: 'space' })).body).not.toHaveProperty('secret');
    const hook = await getHook();
    expect(hook).toMatchObject({ ...settings, onConflict: 'space' });
    expect(hook).not.toHaveProperty('secret');
    expect(hook).not.toHaveProperty('repoProjectDirectory');
  });

  it('seals the secret and the login, and drops the login when it is set again without one', async ({
    space,
    setHook,
    getHook,
  }) => {
    const url = 'https://x-access-token:c4n4ry-login@git.example.org/docs/handbook.git';
    await setHook({ ...settings, url, secret: 'c4n4ry-of-twenty-four-signs' });
    expect(await getHook()).toMatchObject({ url: settings.url, hasCredentials: true });
    const stored = JSON.stringify(await GitHook.findById(space._id).lean());
    expect(stored).not.toMatch(/c4n4ry/);
    await setHook({ ...settings, url: 'https://attacker.example.org/docs/handbook.git' });
    expect(await getHook()).toMatchObject({ hasCredentials: false });
    expect(await GitHook.findById(space._id).lean()).not.toHaveProperty('login');
  });

  it.for([
    ['a pull request', { ...settings, ref: 'refs/pull/1/head' }],
    ['no ref', { url: settings.url }],
    ['a short secret', { ...settings, secret: 'short' }],
    ['a secret with a line break', { ...settings, secret: 'a secret that has\nmore lines' }],
    ['a forbidden URL', { ...settings, url: 'http://127.0.0.1/r.git' }],
  ])('refuses %s', async ([, json], { space, setHook }) => {
    expect((await setHook(json as object)).status).toBe(400);
    expect(await GitHook.findById(space._id)).toBeNull();
  });

  it('is refused to members who may not start an import', async ({ editor, reader, outsider, setHook }) => {
    const statuses = [editor, reader, outsider].map(async (user) => (await setHook(settings, user)).status);
    expect(await Promise.all(statuses)).toEqual([403, 403, 404]);
  });
});

describe('POST /v1/spaces/{spaceId}/git/hook', () => {
  it.for(Object.keys(pushRequests))(
    'starts the import: %s',
    async (host, { creator, setHook, getHook, send }) => {
      const repository = host === 'bitbucket data center' ? 'scm/DOCS/handbook' : 'docs/handbook';
      const { body } = await setHook({
        url: `https://git.example.org/${repository}.git`,
        ref: settings.ref,
        repoProjectDirectory: 'guide',
        repoTreeURL: 'https://git.example.org/tree/',
        onConflict: 'space',
      });
      const before = Date.now();
      const answer = await send(pushRequests[host]!({ ...push, secret: body.secret }));
      expect([answer.status, answer.body]).toMatchObject([202, { outcome: 'started' }]);
      const job = await jobCollection().findOne({ _id: answer.body.jobId });
      expect(job).toMatchObject({
        kind: 'git-import',
        startedBy: creator.user._id,
        input: {
          url: `https://git.example.org/${repository}.git`,
          ...{ ref: settings.ref, projectDirectory: 'guide', repoTreeUrl: 'https://git.example.org/tree/' },
          ...{ onConflict: 'space', force: false, standalone: false, dryRun: false, hasLogin: false },
        },
      });
      const timestamp = Date.parse(String(job?.input['timestamp']));
      // The time is that of MongoDB as the process knows it.
      expect(timestamp).toBeGreaterThanOrEqual(before - 1_000);
      expect(timestamp).toBeLessThanOrEqual(Date.now() + 1_000);
      expect((await getHook()).events).toEqual([answer.body]);
    },
  );

  it('starts the import for an event recorded from a Gitea server', async ({ setHook, send }) => {
    const url = 'http://gitea.internal.example.org/writer/Handbook.git';
    await setHook({ ...settings, url, secret: recordedSecret });
    const { status, body } = await send(recordedGiteaPush);
    expect([status, body.host, body.event]).toEqual([202, 'gitea', 'push']);
  });

  it('gives each import the login of the hook, sealed for its job', async ({ api, setHook, send }) => {
    const url = 'https://x-access-token:c4n4ry-login@git.example.org/docs/handbook.git';
    const { body } = await setHook({ ...settings, url });
    const started = await send(pushRequests['github']!({ ...push, secret: body.secret }));
    const { jobId } = started.body;
    const job = await jobCollection().findOne({ _id: jobId });
    expect(job?.input).toMatchObject({ url: settings.url, hasLogin: true });
    expect(await openCredential(api.config, jobId)).toEqual({
      username: 'x-access-token',
      password: 'c4n4ry-login',
    });
    const stored = JSON.stringify([job, await GitCredential.findById(jobId).lean(), api.logLines]);
    expect(stored).not.toMatch(new RegExp(`c4n4ry|${body.secret.slice(0, 20)}`));
  });

  it.for(Object.keys(pushRequests))(
    'refuses a wrong signature: %s',
    async (host, { space, setHook, send }) => {
      const { body } = await setHook();
      const signed = pushRequests[host]!({ ...push, secret: body.secret });
      const isToken = signed.headers['x-gitlab-token'] !== undefined;
      const withoutSignature = Object.entries(signed.headers).filter(
        ([name]) => !/signature|x-gitlab-token/.test(name),
      );
      const wrong: HookRequest[] = [
        pushRequests[host]!({ ...push, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
        ...(isToken ? [] : [{ ...signed, body: signed.body.replace('main', 'mail') }]),
        { ...signed, headers: Object.fromEntries(withoutSignature) },
      ];
      const before = await oplogPosition();
      for (const request of wrong) {
        const { status, body: refusal } = await send(request);
        expect([status, refusal.error.type]).toEqual([401, 'unauthorized']);
      }
      expect(await writesSince(before)).toEqual([]);
      expect(await jobCollection().countDocuments({ 'subject.id': space._id })).toBe(0);
    },
  );

  it.for([
    'whsec_!!!!!!!!!!!!!!!!',
    'whsec_=a-long-secret-42',
    'whsec_a-strong=secret-42',
    `whsec_${'A'.repeat(31)}`,
  ])('derives no signing key from a malformed secret: %s', async (secret, { setHook, send }) => {
    await setHook({ ...settings, secret });
    expect((await send(pushRequests['gitlab, signing token']!({ ...push, secret }))).status).toBe(401);
    expect((await send(pushRequests['gitlab, secret token']!({ ...push, secret }))).status).toBe(202);
  });

  it('answers an unknown hook or the secret of another space like a wrong signature', async ({
    organization,
    setHook,
    send,
  }) => {
    const { body } = await setHook();
    const request = pushRequests['github']!({ ...push, secret: body.secret });
    const other = await buildSpace(organization);
    const answers = [await send(request, other._id), await send(request, newId())];
    await setHook(settings, undefined, other);
    answers.push(await send(request, other._id), await send({ headers: {}, body: '{}' }));
    const errors = answers.map(({ status, body: { error } }) => [status, error.message, error.action]);
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(errors[0]?.[0]).toBe(401);
  });

  it.for(
    Object.keys(pushRequests).flatMap((host) => [
      [host, 'deleted_ref', { isDeleted: true }] as const,
      [host, 'other_ref', { ref: 'refs/heads/main2' }] as const,
      [host, 'other_ref', { ref: 'refs/tags/main' }] as const,
      [host, 'other_repository', { repository: 'other/handbook' }] as const,
      [host, 'other_repository', { repository: 'docs/book' }] as const,
    ]),
  )('ignores a push: %s, %s %o', async ([host, reason, change], { space, setHook, getHook, send }) => {
    const { body } = await setHook();
    const { status, body: event } = await send(
      pushRequests[host]!({ ...push, secret: body.secret, ...change }),
    );
    expect([status, event]).toMatchObject([200, { outcome: 'ignored', reason }]);
    expect((await getHook()).events).toEqual([event]);
    expect(await jobCollection().countDocuments({ 'subject.id': space._id })).toBe(0);
  });

  it('imports a tag when it is moved', async ({ setHook, send }) => {
    const ref = 'refs/tags/latest';
    const { body } = await setHook({ ...settings, ref });
    for (const host of Object.keys(pushRequests)) {
      const answer = await send(pushRequests[host]!({ ...push, ref, secret: body.secret }));
      expect([host, answer.status]).toEqual([host, 202]);
    }
  });

  it('ignores other events, such as the ping of a new webhook', async ({ setHook, send }) => {
    const { body } = await setHook();
    const events: [string, string][] = [
      ['github', 'x-github-event'],
      ['gitea', 'x-gitea-event'],
      ['bitbucket cloud', 'x-event-key'],
    ];
    for (const [host, header] of events) {
      const request = pushRequests[host]!({ ...push, secret: body.secret });
      const answer = await send({ ...request, headers: { ...request.headers, [header]: 'ping' } });
      expect([answer.status, answer.body.reason]).toEqual([200, 'other_event']);
    }
    const { headers } = pushRequests['gitlab, secret token']!({ ...push, secret: body.secret });
    const answer = await send({ headers, body: '{"object_kind":"issue"}' });
    expect([answer.status, answer.body.reason]).toEqual([200, 'other_event']);
  });

  it.for([
    ['is deleted', 401, 'DELETE', undefined],
    ['gets another branch', 200, 'PUT', { ...settings, ref: 'refs/heads/v2' }],
  ] as const)(
    'starts no import when the hook %s before the body of the event has arrived',
    async ([, status, method, json], { api, creator, space, setHook }) => {
      const hook = await setHook();
      const { headers, body } = pushRequests['github']!({ ...push, secret: hook.body.secret });
      const path = `/v1/spaces/${space._id}/git/hook`;
      const sent = new TransformStream<string, string>();
      const writer = sent.writable.getWriter();
      const event = { method: 'POST', headers, body: sent.readable.pipeThrough(new TextEncoderStream()) };
      const answer = fetch(api.origin + path, { ...event, duplex: 'half' });
      await writer.write(body.slice(0, 100));
      await until('event', () => api.runningRequests() === 1);
      expect((await api.call(method, path, { token: creator.token, json })).status).toBeLessThan(300);
      await writer.write(body.slice(100));
      await writer.close();
      expect((await answer).status).toBe(status);
      expect(await jobCollection().countDocuments({ 'subject.id': space._id })).toBe(0);
    },
  );

  it('accepts the previous secret for a day', async ({ api, creator, space, setHook, getHook, send }) => {
    const { body: made } = await setHook();
    const path = `/v1/spaces/${space._id}/git/hook/secret`;
    const { body: rotated } = await api.call('POST', path, { token: creator.token });
    expect(rotated.secret).not.toBe(made.secret);
    expect(Date.parse(rotated.previousSecretExpiresAt) - Date.now()).toBeGreaterThan(86_000_000);
    const statusOf = async (secret: string) =>
      (await send(pushRequests['github']!({ ...push, secret }))).status;
    expect(await Promise.all([made.secret, rotated.secret].map(statusOf))).toEqual([202, 202]);
    const past = new Date(Date.now() - 60_000);
    await GitHook.updateOne({ _id: space._id }, { $set: { 'previousSecret.expiresAt': past } });
    expect(await Promise.all([made.secret, rotated.secret].map(statusOf))).toEqual([401, 202]);
    expect(await getHook()).not.toHaveProperty('previousSecretExpiresAt');
    // A secret of one's own replaces it in the same way; the same one again changes nothing.
    const own = 'a-secret-of-my-own-42';
    for (const _ of [1, 2]) await setHook({ ...settings, secret: own });
    expect(await Promise.all([rotated.secret, own].map(statusOf))).toEqual([202, 202]);
  });

  it('refuses events when the user who set it may no longer import', async ({
    organization,
    setHook,
    getHook,
    send,
  }) => {
    const leaving = await buildMember(organization, 'create');
    const { body } = await setHook(settings, leaving);
    const request = pushRequests['github']!({ ...push, secret: body.secret });
    expect((await send(request)).status).toBe(202);
    await Member.updateOne({ user: leaving.user._id }, { $set: { role: 'read' } });
    expect((await send(request)).status).toBe(403);
    await Member.deleteOne({ user: leaving.user._id });
    expect((await send(request)).status).toBe(403);
    const outcomes = (await getHook()).events.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['refused', 'refused', 'started']);
  });

  it('refuses events when the key of its login is gone, and can be set again without that key', async ({
    space,
    setHook,
    getHook,
    send,
  }) => {
    const url = 'https://x-access-token:c4n4ry-login@git.example.org/docs/handbook.git';
    const [secret, other] = ['a-secret-of-my-own-42', 'another-secret-of-mine'];
    const lose = (field: string) => GitHook.updateOne({ _id: space._id }, { $set: { [field]: 'gone' } });
    const statusOf = async (key: string) =>
      (await send(pushRequests['github']!({ ...push, secret: key }))).status;
    await setHook({ ...settings, url, secret });
    await lose('login.keyId');
    expect(await statusOf(secret)).toBe(403);
    expect((await getHook()).events).toMatchObject([{ outcome: 'refused', reason: 'no_login' }]);
    await setHook({ ...settings, url, secret: other });
    await lose('previousSecret.sealed.keyId');
    expect([await statusOf(other), await statusOf(secret)]).toEqual([202, 401]);
    await lose('secret.keyId');
    expect((await setHook({ ...settings, url, secret })).status).toBe(200);
    expect(await statusOf(secret)).toBe(202);
  });

  it('refuses events of a deleted space and of a transferred space', async ({
    api,
    admin,
    organization,
    setHook,
    send,
  }) => {
    const [deleted, moved] = [await buildSpace(organization), await buildSpace(organization)];
    const requests = [];
    for (const space of [deleted, moved]) {
      const { body } = await setHook(settings, undefined, space);
      requests.push(pushRequests['github']!({ ...push, secret: body.secret }));
    }
    await api.call('DELETE', `/v1/spaces/${deleted._id}`, { token: admin.token });
    expect((await send(requests[0]!, deleted._id)).status).toBe(403);
    const target = await buildOrganization();
    await buildMembership(target.organization, admin, 'create');
    const json = { organization: target.organization._id };
    const transfer = await api.call('POST', `/v1/spaces/${moved._id}/transfer`, { token: admin.token, json });
    expect(transfer.status).toBeLessThan(300);
    expect(await GitHook.findById(moved._id)).toBeNull();
    expect((await send(requests[1]!, moved._id)).status).toBe(401);
  });

  it('lists the last 20 events, newest first, and keeps only one import waiting', async ({
    space,
    setHook,
    getHook,
    send,
  }) => {
    const { body } = await setHook();
    const jobs: string[] = [];
    for (let i = 0; i < 24; i++)
      jobs.push((await send(pushRequests['github']!({ ...push, secret: body.secret }))).body.jobId);
    const listed = (await getHook()).events.map(({ jobId }: { jobId: string }) => jobId);
    expect(listed).toEqual(jobs.slice(4).toReversed());
    const waiting = { 'subject.id': space._id, state: { $in: ['accepted', 'queued'] as const } };
    expect(await jobCollection().distinct('_id', waiting as object)).toEqual([jobs.at(-1)]);
  });

  it('reads the largest pushes, and refuses bodies that no git host sends', async ({ setHook, send }) => {
    const secret = 'a-secret-of-my-own-42';
    await setHook({ ...settings, secret });
    const signed = pushRequests['github']!({ ...push, secret });
    const ofBody = (body: string, type = 'application/json') => {
      const headers: Record<string, string> = { ...signed.headers, 'content-type': type };
      delete headers['x-hub-signature-256'];
      return { headers: { ...headers, 'x-gitlab-token': secret, 'x-gitlab-event': 'Push Hook' }, body };
    };
    const event = githubPush({ ...push, secret });
    const gitlab = { object_kind: 'push', ref: push.ref, after: event.after };
    const project = { path_with_namespace: push.repository };
    const commits = Array.from({ length: 2_048 }, () => ({
      ...event.commits[0],
      message: 'm'.repeat(1_000),
    }));
    const statusOf = async (request: HookRequest) => {
      const { 'x-github-event': _event, ...headers } = request.headers;
      return (await send({ ...request, headers })).status;
    };
    expect(await statusOf(ofBody(JSON.stringify({ ...gitlab, project, commits })))).toBe(202);
    expect(await statusOf(ofBody(JSON.stringify(gitlab)))).toBe(400);
    expect(await statusOf(ofBody('{"ref": '))).toBe(400);
    expect(await statusOf(ofBody('[]'))).toBe(400);
    expect(await statusOf(ofBody('x', 'text/plain'))).toBe(415);
    expect(await statusOf(ofBody(`"${'x'.repeat(11 * 1024 * 1024)}"`))).toBe(413);
    const form = `payload=${'x'.repeat(1024 * 1024)}`;
    expect(await statusOf(ofBody(form, 'application/x-www-form-urlencoded'))).toBe(413);
  });

  it('refuses a push with many wrong changes at the first of them', async ({ setHook, send }) => {
    const { body: hook } = await setHook();
    const changes = Array<number>(490_000).fill(0);
    const payloads = {
      'repo:push': { repository: { full_name: push.repository }, push: { changes } },
      'repo:refs_changed': { repository: { slug: 'handbook', project: { key: 'DOCS' } }, changes },
    };
    const watch = watchThread();
    onTestFinished(watch.stop);
    for (const [event, payload] of Object.entries(payloads)) {
      const { status, body } = await send(bitbucketEvent(event, { payload, secret: hook.secret }));
      expect([status, body.error.details[0].path]).toEqual([400, expect.stringMatching(/\.changes\.0$/)]);
    }
    expect(watch.longestWorkMs()).toBeLessThan(bound(500));
  });

  it('parses only a few large events at the same time', async ({ setHook, send }) => {
    const { body: hook } = await setHook();
    const { headers, body } = pushRequests['gitlab, secret token']!({ ...push, secret: hook.secret });
    const request = { headers, body: body.replace(/}$/, `,"padding":"${'x'.repeat(2_000_000)}"}`) };
    expect((await send(request)).status).toBe(202);
    const before = threads();
    let most = before;
    const counting = setInterval(() => (most = Math.max(most, threads())), 1);
    onTestFinished(() => clearInterval(counting));
    await Promise.all(Array.from({ length: 12 }, async () => send(request)));
    expect(most - before).toBeLessThan(5);
  });
});

/** The threads of this process, which is that of the API too. */
function threads(): number {
  return readdirSync('/proc/self/task').length;
}

it('the hook is deleted by a member who may import', async ({
  api,
  creator,
  editor,
  space,
  setHook,
  send,
}) => {
  const { body } = await setHook();
  const remove = (token: string) => api.call('DELETE', `/v1/spaces/${space._id}/git/hook`, { token });
  expect((await remove(editor.token)).status).toBe(403);
  for (const _ of [1, 2]) expect((await remove(creator.token)).status).toBe(204);
  expect((await send(pushRequests['github']!({ ...push, secret: body.secret }))).status).toBe(401);
  expect(await Space.exists({ _id: space._id })).not.toBeNull();
});
