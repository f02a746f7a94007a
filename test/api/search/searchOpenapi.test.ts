import { IndexTask, SpaceMentions, SpecFollowUp, type SpaceRecord } from '@bindery/models';
import { describe, expect, vi } from 'vitest';
import { followNextSpec } from '../../../apps/worker-maintenance/src/followSpecs.ts';
import {
  buildGrant,
  buildMember,
  buildSpace,
  buildSpec,
  buildSpecVersion,
  type TestPage,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { indexWhatWaits, publishPages } from '../../support/content/indexing.ts';

const tag = '{% openapi-operation spec="pets" path="/pets/" method="GET" %}\n{% endopenapi-operation %}';
const schemas = '{% openapi-schemas spec="pets" schemas="Pet" %}\n{% endopenapi-schemas %}';
const pages = [
  { id: 'p', title: 'P', slug: 'p', path: 'p', source: `# P\n\n## Requests\n\n${tag}\n` },
  { id: 'q', title: 'Q', slug: 'q', path: 'q', source: `# Q\n\n${schemas}\n` },
  { id: 'r', title: 'R', slug: 'r', path: 'r', source: '# R\n\nNothing of it.\n' },
] as TestPage[];

const it = base
  .extend('spec', ({ organization }) => buildSpec(organization, { slug: 'pets' }))
  .extend('version', ({ spec }) => async (summary: string) => {
    const specification = {
      openapi: '3.1.0',
      paths: { '/pets': { get: { summary, description: 'Only **yours**.' } } },
      components: { schemas: { Pet: { properties: { nickname: { type: 'string' } } } } },
    };
    const file = { filename: 'openapi.json', dir: '.', isEntrypoint: true, references: [], specification };
    return buildSpecVersion(spec, { text: summary, files: [file] });
  })
  .extend('space', ({ organization }) => buildSpace(organization, { defaultLevel: null }))
  .extend(
    'found',
    ({ api, admin }) =>
      async (space: SpaceRecord, query: string, { token } = admin): Promise<string[]> => {
        await indexWhatWaits(api.config);
        const path = `/v1/spaces/${space._id}/search?${new URLSearchParams({ query }).toString()}`;
        const { status, body } = await api.call('GET', path, { token });
        expect(status).toBe(200);
        return body.items.map(({ id }: { id: string }) => id);
      },
  );

describe('search in a space that shows a specification', () => {
  it('finds the words of its operations and schemas, of the latest version', async ({
    space,
    spec,
    version,
    found,
  }) => {
    await version('Enumerate animals');
    await publishPages(space, pages);
    expect(await found(space, 'enumerate')).toEqual(['p']);
    expect(await found(space, 'nickname')).toEqual(['q']);

    await version('Fetch creatures');
    expect(await found(space, 'enumerate')).toEqual([]);
    expect(await found(space, 'creatures')).toEqual(['p']);
    expect(await SpecFollowUp.exists({ _id: spec._id })).toBeNull();
  });

  it('follows a specification that is added later, and one that is deleted', async ({
    api,
    organization,
    admin,
    space,
    version,
    found,
  }) => {
    await publishPages(space, pages);
    expect(await found(space, 'enumerate')).toEqual([]);
    await version('Enumerate animals');
    expect(await found(space, 'enumerate')).toEqual(['p']);
    await api.call('DELETE', `/v1/orgs/${organization._id}/openapi/pets`, { token: admin.token });
    expect(await found(space, 'enumerate')).toEqual([]);
    // The path and the name are in the pages themselves.
    expect(await found(space, 'pets')).toEqual(['p', 'q']);
  });

  it('hides private specifications from guests who may write', async ({
    api,
    organization,
    admin,
    space,
    version,
    found,
  }) => {
    const guest = await buildMember(organization, null);
    await buildGrant({ space }, guest, 'edit');
    await version('Enumerate animals');
    await publishPages(space, pages);
    expect(await found(space, 'enumerate', guest)).toEqual([]);
    const set = async (visibility: string) =>
      api.call('PATCH', `/v1/orgs/${organization._id}/openapi/pets`, {
        token: admin.token,
        json: { visibility },
      });
    await set('public');
    expect(await found(space, 'enumerate', guest)).toEqual(['p']);
    await set('private');
    expect(await found(space, 'enumerate', guest)).toEqual([]);
  });

  it('finds, for guests who only read, the parts of a specification that the page shows', async ({
    organization,
    space,
    version,
    found,
  }) => {
    const guest = await buildMember(organization, null);
    await buildGrant({ space }, guest, 'read');
    await version('Enumerate animals');
    await publishPages(space, pages);
    expect(await found(space, 'enumerate', guest)).toEqual(['p']);
  });
});

describe('following a specification', () => {
  it('resumes after a run that died, and loses no request that arrives in the meantime', async ({
    api,
    organization,
    space,
    spec,
    version,
  }) => {
    await version('Enumerate animals');
    await publishPages(space, pages);
    await indexWhatWaits(api.config);
    const { signal } = new AbortController();
    // More spaces than one query reads.
    const { madeIn, format, revision } = (await SpaceMentions.findById(space._id).lean())!;
    const others = Array.from({ length: 600 }, (_, index) => `other-${organization._id}-${index}`);
    await SpaceMentions.insertMany(
      others.map((_id) => ({ _id, space: _id, madeIn, format, revision, mentions: [], specs: ['pets'] })),
    );
    await version('Fetch creatures');
    vi.stubEnv('BINDERY_FAULT', 'follow.requested:1:throw');
    await expect(followNextSpec(signal)).rejects.toThrow('Fault');
    vi.unstubAllEnvs();
    expect(await SpecFollowUp.exists({ _id: spec._id })).not.toBeNull();

    await Promise.all([followNextSpec(signal), followNextSpec(signal)]);
    expect(await SpecFollowUp.exists({ _id: spec._id })).toBeNull();
    const requested = { _id: { $in: [space._id, ...others] }, specs: 'pets' };
    expect(await IndexTask.countDocuments(requested)).toBe(601);
    await IndexTask.deleteMany({ _id: { $in: others } });
  });
});
