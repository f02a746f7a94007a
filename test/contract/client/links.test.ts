import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildCollection,
  buildFile,
  buildReusableContent,
  buildRevision,
  buildSpace,
  buildSpec,
  type TestPage,
} from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

/** A space with links of every kind, and a change request in it. */
const it = base.extend('linked', { scope: 'file' }, async ({ api, organization, admin }) => {
  const other = await buildSpace(organization, { language: 'fr' });
  await buildRevision(other, { pages: [{ id: 'there', path: 'there', source: '# There\n\n## Part\n' }] });
  await buildSpec(organization, { slug: 'petstore' });
  const collection = await buildCollection(organization);
  const space = await buildSpace(organization);
  await buildRevision(other, {
    pages: [
      {
        id: 'there',
        path: 'there',
        source: `# There\n\n## Part\n\n[Back](/spaces/${space._id}/pages/page)\n`,
      },
    ],
  });
  const source = `# Page

[page](/pages/page#part), [part](#part), [gone](gone.md), [deleted](/broken/pages/a), [URL](https://example.org), [app](http://api.test/x).

![](/files/picture)

{% include "/reusable-contents/note" %}

[there](/spaces/${other._id}/pages/there#part), [space](/spaces/${other._id}), [collection](/collections/${collection._id}).

<a href="/users/${admin.user._id}" data-mention>Somebody</a> and [somebody](/users/${admin.user._id})

{% openapi-operation spec="petstore" path="/pets" method="get" %}
{% endopenapi-operation %}

## Part
`;
  const pages: TestPage[] = [
    {
      id: 'page',
      title: 'Page',
      icon: 'house',
      emoji: '1f680',
      description: 'D',
      path: 'page',
      source,
      pages: [{ id: 'below', title: 'B' }],
    },
    { type: 'link', id: 'link', title: 'Link', target: { kind: 'page', page: 'page' } },
  ];
  const content = {
    pages,
    files: [
      await buildFile(api.blobs, organization._id, {
        id: 'picture',
        name: 'p.png',
        dimensions: { width: 1, height: 1 },
      }),
    ],
    reusableContents: [
      await buildReusableContent(organization._id, {
        id: 'note',
        source: '[page](/pages/page) ![](/files/picture)\n',
      }),
    ],
  };
  await buildRevision(space, content);
  const { _id: changeRequest } = await buildChangeRequest(space);
  return { space, changeRequest };
});

describe('the published client', () => {
  it.for([{}, { limit: 1 }, { status: 'broken' }, { status: 'in-app', limit: 5 }])(
    'reads links with %j',
    async (query, { client, linked: { space, changeRequest } }) => {
      const { data } = await client.call('listSpaceLinks', [space._id, query]);
      expect(data.items.length).toBeGreaterThan(0);
      await client.call('listPageLinksInSpace', [space._id, 'page', query]);
      await client.call('listPageLinksInChangeRequest', [space._id, changeRequest, 'page', query]);
      client.expectValid('listSpaceLinks', 'listPageLinksInSpace', 'listPageLinksInChangeRequest');
    },
  );

  it('reads link targets of every kind', async ({ client, linked: { space } }) => {
    const { data } = await client.call('listSpaceLinks', [space._id, {}]);
    const kinds: string[] = data.items.map(
      ({ targetReference }: { targetReference: { kind: string } }) => targetReference.kind,
    );
    expect([...new Set(kinds)].toSorted()).toEqual([
      ...['collection', 'file', 'openapi', 'page', 'reusable-content', 'space', 'url', 'user'],
    ]);
  });

  it('reads backlinks', async ({ client, linked: { space, changeRequest } }) => {
    for (const query of [{}, { limit: 1 }]) {
      const answers = [
        await client.call('listSpacePageBacklinks', [space._id, 'page', query]),
        await client.call('listSpaceFileBacklinks', [space._id, 'picture', query]),
        await client.call('listChangeRequestPageBacklinks', [space._id, changeRequest, 'page', query]),
        await client.call('listChangeRequestFileBacklinks', [space._id, changeRequest, 'picture', query]),
      ];
      for (const { data } of answers) expect(data.items.length).toBeGreaterThan(0);
    }
    client.expectValid(
      ...[
        'listSpacePageBacklinks',
        'listSpaceFileBacklinks',
        'listChangeRequestPageBacklinks',
        'listChangeRequestFileBacklinks',
      ],
    );
  });

  it('gets 404 for unknown pages, files and spaces', async ({ client, linked: { space } }) => {
    expect(await client.refused('listPageLinksInSpace', [space._id, 'nothing', {}])).toMatchObject({
      code: 404,
    });
    expect(await client.refused('listSpaceFileBacklinks', [space._id, 'nothing', {}])).toMatchObject({
      code: 404,
    });
    expect(await client.refused('listSpaceLinks', ['nothing', {}])).toMatchObject({ code: 404 });
  });
});
