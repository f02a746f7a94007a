import { callForDemo, type Caller } from './callForDemo.ts';

/** Ids of the content made. */
export type DemoContent = {
  guide: string;
  other: string;
  product: string;
  site: string;
  changeRequest: string;
};

/**
 * Makes the initial content of a new installation, through the public API: a collection with an empty space
 * for the guide and one made from a template, a published site that shows the guide, an open change request
 * with a page and a comment, a team, and a space for a repository of the user's choice.
 *
 * Each request has an idempotency key, so that after an interrupted start the next one makes nothing twice.
 * @throws Error with the API's answer when it refuses a request
 */
export async function createDemoContent(caller: Caller): Promise<DemoContent> {
  const { organizationId } = caller;
  const make = async (name: string, path: string, body: object, method = 'POST') =>
    callForDemo(caller, { method, path, body, key: `demo-${name}` });
  const manuals = await make('collection', `/orgs/${organizationId}/collections`, { title: 'Manuals' });
  const guide = await make('guide', `/orgs/${organizationId}/spaces`, {
    title: 'Bindery guide',
    emoji: '1f4d6',
    parent: manuals.id,
  });
  const other = await make('other', `/orgs/${organizationId}/spaces`, { title: 'My first import' });
  const template = { id: 'product-docs' };
  const product = await make('product-docs', `/orgs/${organizationId}/spaces`, {
    title: 'Product docs',
    emoji: '1f680',
    parent: manuals.id,
    template,
  });
  await make('team', `/orgs/${organizationId}/teams`, { title: 'Writers' }, 'PUT');
  const site = await make('site', `/orgs/${organizationId}/sites`, {
    title: 'Bindery guide',
    spaces: [guide.id],
  });
  await make('publish', `/orgs/${organizationId}/sites/${site.id}/publish`, {});
  const changeRequest = await make('change-request', `/spaces/${guide.id}/change-requests`, {
    subject: 'Say where the logs are',
  });
  const inChangeRequest = `/spaces/${guide.id}/change-requests/${changeRequest.id}`;
  const markdown =
    'They go to **standard output**, one JSON object a line.\n\n{% hint style="info" %}\nThey never contain passwords or tokens.\n{% endhint %}\n';
  await make('edit', `${inChangeRequest}/content`, {
    changes: [{ operation: 'insert_page', title: 'Logs', document: { markdown } }],
  });
  await make('open', inChangeRequest, { status: 'open' }, 'PATCH');
  await make('comment', `${inChangeRequest}/comments`, {
    body: { markdown: 'Under **Operate**, next to the health checks?' },
  });
  return {
    ...{ guide: guide.id, other: other.id, product: product.id },
    ...{ site: site.id, changeRequest: changeRequest.id },
  };
}
