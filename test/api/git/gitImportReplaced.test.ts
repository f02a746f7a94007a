import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// Imports that wait while a newer one of the same branch is asked for.

const url = 'https://git.example.org/o/r.git';
const main = { url, ref: 'refs/heads/main' };

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend(
    'ask',
    ({ api, creator, space }) =>
      async (json: object, { operation = 'import', query = '', spaceId = space._id } = {}) => {
        const path = `/v1/spaces/${spaceId}/git/${operation}${query}`;
        const { status, headers } = await api.call('POST', path, { token: creator.token, json });
        expect(status).toBe(204);
        return headers.get('x-job-id') ?? '';
      },
  )
  .extend('stateOf', () => async (id: string) => (await jobCollection().findOne({ _id: id }))?.state);

describe('a waiting import', () => {
  it('is superseded by a newer import, and names it in its error', async ({ api, reader, space, ask }) => {
    const first = await ask({ ...main, repoTreeURL: 'https://git.example.org/old/' });
    const second = await ask({ ...main, repoTreeURL: 'https://git.example.org/new/', force: true });
    const { body } = await api.call('GET', `/v1/jobs/${first}`, { token: reader.token });
    expect(body).toMatchObject({
      state: 'superseded',
      error: { code: 'superseded', message: expect.stringContaining(second) },
    });
    expect(body.startedAt).toBeUndefined();
    const waiting = await jobCollection()
      .find({ 'subject.id': space._id, state: { $in: ['accepted', 'queued'] } })
      .toArray();
    expect(waiting.map(({ _id }) => _id)).toEqual([second]);
    expect(waiting[0]).toMatchObject({ input: { repoTreeUrl: 'https://git.example.org/new/', force: true } });
    const { body: info } = await api.call('GET', `/v1/spaces/${space._id}/git/info`, { token: reader.token });
    expect(JSON.stringify(info)).not.toContain('superseded');
  });

  it('is the only one left of two hundred, also when they arrive together', async ({ space, ask }) => {
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => ask(main)));
    await ask(main);
    const states = await jobCollection()
      .find({ 'subject.id': space._id })
      .project<{ state: string }>({ state: 1 })
      .toArray();
    expect(states.filter(({ state }) => state !== 'superseded')).toHaveLength(1);
    expect(states).toHaveLength(201);
  });

  it.for([
    ['another branch', main, { ...main, ref: 'refs/heads/dev' }],
    ['another folder', main, { ...main, repoProjectDirectory: 'docs' }],
    ['another repository', main, { ...main, url: 'https://git.example.org/o/other.git' }],
    ['force', { ...main, force: true }, main],
    ['a rule for conflicts', { ...main, onConflict: 'space' }, main],
    ['a login', { ...main, url: 'https://me:token@git.example.org/o/r.git' }, main],
    ['a time', { ...main, timestamp: '2026-01-02T00:00:00Z' }, main],
    ['no time', main, { ...main, timestamp: '2026-01-02T00:00:00Z' }],
    [
      'a later time',
      { ...main, timestamp: '2026-01-02T01:00:00Z' },
      { ...main, timestamp: '2026-01-02T02:00:00+02:00' },
    ],
    ['a revision of its own', { ...main, standalone: true }, { ...main, standalone: true }],
    ['a space that it changes', main, { ...main, standalone: true }],
  ] as const)('is not superseded where it has %s', async ([_what, older, newer], { ask, stateOf }) => {
    const first = await ask(older);
    const second = await ask(newer);
    expect(await Promise.all([first, second].map(stateOf))).toEqual(['queued', 'accepted']);
  });

  it.for([
    [
      'a time that is older',
      { ...main, timestamp: '2026-01-02T02:00:00+02:00' },
      { ...main, timestamp: '2026-01-02T00:00:01Z' },
    ],
    ['no login', main, { ...main, url: 'https://me:token@git.example.org/o/r.git' }],
  ] as const)('is superseded where it has %s', async ([_what, older, newer], { ask, stateOf }) => {
    const first = await ask(older);
    await ask(newer);
    expect(await stateOf(first)).toBe('superseded');
  });

  it('keeps its place before a waiting dry run or export, and beside imports of other branches', async ({
    ask,
    stateOf,
  }) => {
    const imports = [await ask(main), await ask({ ...main, ref: 'refs/heads/dev' })];
    await ask(main, { query: '?dryRun=true' });
    await ask({ ...main, commitMessage: 'x' }, { operation: 'export' });
    const after = await ask(main);
    expect(await Promise.all([...imports, after].map(stateOf))).toEqual(['queued', 'accepted', 'accepted']);
    await ask(main);
    expect(await Promise.all([...imports, after].map(stateOf))).toEqual(['queued', 'accepted', 'superseded']);
  });

  it('is not superseded once it has started, nor by an import into another space', async ({
    organization,
    ask,
    stateOf,
  }) => {
    const started = await ask(main);
    await jobCollection().updateOne({ _id: started }, { $set: { startedAt: new Date(), epoch: 1 } });
    const other = await buildSpace(organization);
    const elsewhere = await ask(main, { spaceId: other._id });
    await ask(main);
    expect(await Promise.all([started, elsewhere].map(stateOf))).toEqual(['queued', 'queued']);
  });
});
