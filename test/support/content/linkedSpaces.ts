import { type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import type { TestApi } from '../apiServer.ts';
import {
  buildCollection,
  buildFile,
  buildReusableContent,
  buildRevision,
  buildSpace,
  buildSpec,
} from '../factories.ts';
import { it } from '../it.ts';

/** The application's URL in tests. */
export const app = 'http://api.test';

type Linked = {
  organization: OrganizationRecord;
  other: SpaceRecord;
  secret: SpaceRecord;
  collection: string;
};

/**
 * The `it` of tests of links. Fixtures:
 *
 * - `space`: has a link of every kind
 * - `other`, `collection`: a space and a collection that its pages link to
 * - `secret`: a space visible only to admins
 * - `content`: returns the content of `space`, to be published again with changes
 */
export const itInLinkedSpaces = it
  .extend('linked', { scope: 'file' }, async ({ api, organization }) => {
    const space = await buildSpace(organization);
    const other = await buildSpace(organization, { title: 'Other' });
    const secret = await buildSpace(organization, { title: 'Secret', defaultLevel: null });
    const collection = (await buildCollection(organization))._id;
    await buildSpec(organization, { slug: 'petstore' });
    await buildRevision(other, {
      pages: [{ id: 'there', path: 'there', source: '# There\n\n## Part\n\nText.\n' }],
    });
    await buildRevision(secret, {
      pages: [
        { id: 'hidden', path: 'hidden', source: `# Hidden\n\n[Out](${app}/s/${space._id}/guide/setup)\n` },
      ],
    });
    const content = () => contentOf(api, { organization, other, secret, collection });
    await buildRevision(space, await content());
    return { space, other, secret, collection, content };
  })
  .extend('space', ({ linked }) => linked.space)
  .extend('other', ({ linked }) => linked.other)
  .extend('secret', ({ linked }) => linked.secret)
  .extend('collection', ({ linked }) => linked.collection)
  .extend('content', ({ linked }) => linked.content);

const sourceOf = ({ other, secret, collection }: Linked) => `# Home

[Setup](guide/setup.md) and [a part of it](guide/setup.md#install) and [no part of it](guide/setup.md#gone).

![](.gitbook/assets/picture.png)

{% include ".gitbook/includes/note.md" %}

[Gone](gone.md), [gone again](./gone.md#x), [a page that went](/broken/pages/wentAway), [a file](/broken/files/wentToo).

[Web](https://example.org/a?b=1#c), [mail](mailto:a@example.org), [application](${app}/s/unknown/x), [part](#here).

## Here

[There](${app}/s/${other._id}/there), [its part](${app}/s/${other._id}/there#part), [the space](${app}/s/${other._id}).

[Hidden](${app}/s/${secret._id}/hidden), [collection](${app}/c/${collection}).

{% openapi-operation spec="petstore" path="/pets" method="get" %}
{% endopenapi-operation %}
`;

async function contentOf(api: TestApi, linked: Linked) {
  const { organization } = linked;
  const picture = await buildFile(api.blobs, organization._id, {
    id: 'picture',
    name: 'picture.png',
    git: { oid: 'o', path: '.gitbook/assets/picture.png' },
  });
  const note = await buildReusableContent(organization._id, {
    id: 'note',
    title: 'Note',
    source: '## Noted\n\n[Setup](../../guide/setup.md)\n',
    git: { oid: 'o', path: '.gitbook/includes/note.md' },
  });
  return {
    files: [picture],
    reusableContents: [note],
    pages: [
      { id: 'home', title: 'Home', path: '', git: { oid: 'o', path: 'README.md' }, source: sourceOf(linked) },
      {
        id: 'setup',
        title: 'Setup',
        path: 'guide/setup',
        git: { oid: 'o', path: 'guide/setup.md' },
        cover: { ref: { kind: 'file' as const, file: 'picture' }, yPos: 0 },
        source: '# Setup\n\n## Install\n\n[Home](../README.md#noted)\n',
      },
      { type: 'link' as const, id: 'link', title: 'Link', target: { kind: 'page' as const, page: 'setup' } },
      { type: 'link' as const, id: 'dead', title: 'Dead', target: { kind: 'url' as const, url: 'gone.md' } },
    ],
  };
}

/** A location in an answer. */
export type ShownLocation = {
  kind: string;
  page?: { id: string };
  internalLocation?: { anchor?: string };
  url?: string;
} & Record<string, { id: string } | undefined>;

/** Names a location in one word. */
export function nameOfLocation(location: ShownLocation): string {
  const { kind, url, internalLocation } = location;
  if (kind === 'url') return url ?? '';
  const object = location[
    { 'reusable-content': 'reusableContent', openapi: 'openAPISpec' }[kind] ?? kind
  ] as {
    id?: string;
    slug?: string;
  };
  const anchor = internalLocation?.anchor === undefined ? '' : `#${internalLocation.anchor}`;
  return `${kind} ${kind === 'openapi' ? object.slug : object.id}${anchor}`;
}
