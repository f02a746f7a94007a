import type { Site, SiteSpace } from '@bindery/contract';
import { dataOption, parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi, type ApiAccess } from '../api/apiAccess.ts';
import { apiPath } from '@bindery/runtime';
import { eachItem } from '../api/eachItem.ts';
import { folderOptions, readFolderOptions } from './folderOptions.ts';
import { watchFolder } from './watchFolder.ts';

export const previewUsage = {
  command: 'preview',
  operands: '<DIR>',
  options: {
    ...folderOptions,
    site: { value: 'ID', help: 'The site (default: the only one that shows the space).' },
    ...dataOption,
  },
} satisfies Usage;

/** The URL is valid for an hour: with the next change after this time there is a new one. */
const renewMs = 50 * 60_000;

/** @returns as `watchFolder` does */
export async function preview(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(previewUsage, args);
  const watching = readFolderOptions('preview', operands, values);
  const api = openApi({ data: values.data, environment });
  const site = await findSite(api, { space: watching.space, site: values.site });
  let shown: { changeRequest: string | undefined; at: number } | undefined;
  const onSent = async (changeRequest: string | undefined) => {
    const isCurrent = shown?.changeRequest === changeRequest && Date.now() - (shown?.at ?? 0) < renewMs;
    if (isCurrent) return;
    console.log(`Preview, for an hour: ${await previewUrl(api, { ...site, changeRequest })}`);
    shown = { changeRequest, at: Date.now() };
  };
  return watchFolder(api, { ...watching, onSent });
}

type ShowingSite = { organization: string; site: string; siteSpace: string };

/** @throws Refusal when no site, or more than one, shows the space */
async function findSite(
  api: ApiAccess,
  { space, site: wanted }: { space: string; site: string | undefined },
): Promise<ShowingSite> {
  const organization = String((await api.get(apiPath`/spaces/${space}`))['organization']);
  const sites = apiPath`/orgs/${organization}/sites${{ space, limit: 100 }}`;
  const { items } = (await api.get(sites)) as unknown as { items: Site[] };
  const found = wanted === undefined ? items : items.filter(({ id }) => id === wanted);
  const [only] = found;
  if (!only)
    throw new Refusal('No site shows the space.', ['Add the space to a site, or use `bindery watch`.']);
  if (found.length > 1)
    throw new Refusal(
      'Name the site with `--site ID`.',
      found.map(({ id, title }) => `${id}: ${title}`),
    );
  const siteSpaces = eachItem<SiteSpace>(
    api,
    (page) => apiPath`/orgs/${organization}/sites/${only.id}/site-spaces${{ limit: 100, page }}`,
  );
  for await (const siteSpace of siteSpaces)
    if (siteSpace.space.id === space) return { organization, site: only.id, siteSpace: siteSpace.id };
  throw new Refusal('The site does not show the space.');
}

async function previewUrl(
  api: ApiAccess,
  { organization, site, siteSpace, changeRequest }: ShowingSite & { changeRequest: string | undefined },
): Promise<string> {
  const query = { siteSpace, changeRequest };
  const path = apiPath`/orgs/${organization}/sites/${site}/publishing/preview${query}`;
  return String((await api.get(path))['url']);
}
