import { callForDemo, type Caller } from './callForDemo.ts';

/** The space with the documentation, the site that publishes it, and the commit that was imported last. */
export type DemoDocs = { space: string; site: string; commit: string };

/**
 * Imports the documentation of this version into a space and publishes it. The job of the import may still
 * wait when this returns.
 *
 * @param known  of an earlier start; the import is repeated only for another commit
 * @throws Error with the API's answer when it refuses a request
 */
export async function importDocs(
  caller: Caller,
  { url, ref, commit }: { url: string; ref: string; commit: string },
  known?: DemoDocs,
): Promise<DemoDocs> {
  if (known?.commit === commit) return known;
  const { organizationId } = caller;
  const make = async (name: string, path: string, body: object) =>
    callForDemo(caller, { method: 'POST', path, body, key: `demo-docs-${name}` });
  const title = 'Bindery documentation';
  const space = known?.space ?? (await make('space', `/orgs/${organizationId}/spaces`, { title })).id;
  const site =
    known?.site ?? (await make('site', `/orgs/${organizationId}/sites`, { title, spaces: [space] })).id;
  if (!known) await make('publish', `/orgs/${organizationId}/sites/${site}/publish`, {});
  await make(commit, `/spaces/${space}/git/import`, { url, ref });
  return { space, site, commit };
}
