import { jobCollection, OpenAPISpec } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildGrant,
  buildMember,
  buildRevision,
  buildSpace,
  buildSpec,
  buildSpecVersion,
} from '../../support/factories.ts';
import { it, missingPrograms } from '../../support/pdf/printing.ts';
import { plain, readPdf } from '../../support/pdf/readPdf.ts';

const filesOf = (summary: string) => [
  {
    filename: 'openapi.json',
    dir: '.',
    isEntrypoint: true,
    references: [],
    specification: {
      openapi: '3.1.0',
      paths: {
        '/pets/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: {
            summary,
            description: 'Only **yours**.',
            responses: {
              200: {
                description: 'The pet',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
              },
            },
          },
        },
      },
      components: { schemas: { Pet: { properties: { nickname: { type: 'string' } } } } },
    },
  },
];
const source =
  '# P\n\n{% openapi-operation spec="pets" path="/pets/{id}/" method="GET" %}\n{% endopenapi-operation %}\n';

describe.skipIf(missingPrograms)('a book with OpenAPI blocks', () => {
  it('prints operations of the latest version to members who can read it, and again after a new one', async ({
    api,
    organization,
    print,
  }) => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages: [{ id: 'p', path: 'p', source }] });
    const path = `/v1/spaces/${space._id}/pdf`;
    const textOf = async () => (await print(path)).texts.join(' ');

    // Without a version, the block names the operation.
    const spec = await buildSpec(organization, { slug: 'pets' });
    expect(await textOf()).toContain(plain('API specification pets'));

    await buildSpecVersion(spec, { text: '1', files: filesOf('Read a pet') });
    const first = await textOf();
    for (const words of ['Read a pet', 'Only yours.', 'Path parameters', 'The pet', 'nickname'])
      expect(first).toContain(plain(words));

    // Nothing has changed: no other job.
    const jobs = async () => jobCollection().countDocuments({ 'subject.id': space._id });
    const before = await jobs();
    await textOf();
    expect(await jobs()).toBe(before);

    await buildSpecVersion(spec, { text: '2', files: filesOf('Fetch a pet') });
    expect(await textOf()).toContain(plain('Fetch a pet'));
    expect(await jobs()).toBe(before + 1);

    // A guest who may write here could name any specification.
    const guest = await buildMember(organization, null);
    await buildGrant({ space }, guest, 'edit');
    const { body } = await api.call('GET', path, { token: guest.token });
    const theirs = (await readPdf((await api.call('GET', body.url)).bytes)).texts.join(' ');
    expect(theirs).toContain(plain('API specification pets'));
    expect(theirs).not.toContain(plain('Fetch a pet'));

    await OpenAPISpec.updateOne({ _id: spec._id }, { $set: { visibility: 'public' } });
    const open = await api.call('GET', path, { token: guest.token });
    expect((await readPdf((await api.call('GET', open.body.url)).bytes)).texts.join(' ')).toContain(
      plain('Fetch a pet'),
    );
  });

  it('prints the pages of a specification in place of a computed page', async ({ organization, print }) => {
    const space = await buildSpace(organization);
    const computed = (spec: string) => ({
      type: 'builtin:openapi',
      props: { models: true },
      dependencies: { spec: { ref: { kind: 'openapi', spec } } },
    });
    await buildRevision(space, {
      pages: [
        { id: 'a', path: 'a', title: 'First', source: '# First\n' },
        { id: 'c', type: 'computed', title: 'API', computed: computed('computed') } as never,
        { id: 'd', type: 'computed', title: 'Missing', computed: computed('gone') } as never,
      ],
    });
    await buildSpecVersion(await buildSpec(organization, { slug: 'computed' }), {
      files: filesOf('Read a pet'),
    });
    const { texts, outline } = await print(`/v1/spaces/${space._id}/pdf`);
    expect(outline.map(({ title }) => title)).toEqual(['First', 'Default', 'Models', 'Missing']);
    const text = texts.join(' ');
    for (const words of ['Read a pet', 'nickname', 'This page is made from an API specification'])
      expect(text).toContain(plain(words));
  });
});
