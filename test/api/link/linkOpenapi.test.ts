import type { Link } from '@bindery/contract';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildRevision,
  buildSpace,
  buildSpec,
  buildSpecVersion,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

const tag = (path: string, method = 'get') =>
  `{% openapi-operation spec="pets" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;
const source = `# P

${tag('/pets/')}

${tag('/pets', 'DELETE')}

{% openapi-schemas spec="pets" schemas="Pet,Error" %}
{% endopenapi-schemas %}

{% openapi-webhook spec="pets" name="born" method="post" %}
{% endopenapi-webhook %}

[All](/openapi/pets)
`;

const whole = {
  paths: { '/pets': { get: {}, delete: {} } },
  webhooks: { born: { post: {} } },
  components: { schemas: { Pet: {}, Error: {} } },
};

const it = base
  .extend('spec', ({ organization }) => buildSpec(organization, { slug: 'pets' }))
  .extend('version', ({ spec }) => async (specification: object) => {
    const file = { filename: 'openapi.json', dir: '.', isEntrypoint: true, references: [] };
    return buildSpecVersion(spec, {
      text: JSON.stringify(specification),
      files: [{ ...file, specification: { openapi: '3.1.0', ...specification } }],
    });
  })
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages: [{ id: 'p', path: 'p', source }] });
    return space;
  })
  .extend(
    'links',
    ({ api, admin, space }) =>
      async (place = `/spaces/${space._id}`, query = ''): Promise<{ items: Link[]; stats: object }> => {
        const { status, body } = await api.call('GET', `/v1${place}/links${query}`, { token: admin.token });
        expect(status).toBe(200);
        return body;
      },
  );

/** Each link as its status, its target and the number of its places. */
const lines = ({ items }: { items: Link[] }) =>
  items.map(({ status, targetReference: to, locationReferences }) =>
    [status, to.kind === 'openapi' ? to.openAPISpec.slug : to.kind, locationReferences.length].join(' '),
  );

describe('links to parts of a specification', () => {
  it('are one link to the specification while all parts exist', async ({ links, spec, version }) => {
    expect(spec.slug).toBe('pets');
    expect(lines(await links())).toEqual(['ok pets 5']);
    await version(whole);
    expect(lines(await links())).toEqual(['ok pets 5']);
  });

  it('are broken when a new version lacks the parts', async ({ links, version }) => {
    await version(whole);
    expect((await links()).stats).toEqual({ total: 1, broken: { total: 0 } });
    await version({ paths: { '/pets/': { get: {} } }, components: { schemas: { Pet: {} } } });
    const found = await links();
    expect(lines(found).toSorted()).toEqual(['broken pets 1', 'broken pets 1', 'broken pets 1', 'ok pets 3']);
    expect(found.stats).toEqual({ total: 4, broken: { total: 3 } });
    const broken = await links(undefined, '?status=broken');
    expect(
      new Set(broken.items.flatMap(({ locationReferences }) => locationReferences.map(({ kind }) => kind))),
    ).toEqual(new Set(['page']));
    await version(whole);
    expect(lines(await links())).toEqual(['ok pets 5']);
  });

  it('are counted separately in a change request', async ({ space, links, version }) => {
    await version({ paths: { '/pets': { get: {} } } });
    const { _id: revision } = await buildRevision(space, {
      pages: [{ id: 'p', path: 'p', source: `${source}\n${tag('/new')}\n` }],
      publish: false,
    });
    const { _id } = await buildChangeRequest(space, { revision });
    const { stats } = await links(`/spaces/${space._id}/change-requests/${_id}/content/page/p`);
    expect(stats).toEqual({ total: 6, broken: { total: 5, changeRequest: 1 } });
  });

  it('are one broken link when the specification is deleted', async ({
    links,
    spec,
    api,
    organization,
    admin,
  }) => {
    await api.call('DELETE', `/v1/orgs/${organization._id}/openapi/${spec.slug}`, { token: admin.token });
    expect(
      (await links()).items.map(({ status, locationReferences }) => [status, locationReferences.length]),
    ).toEqual([['broken', 5]]);
  });
});
