import type { SiteRedirect } from '@bindery/contract';
import { apiPath, compact } from '@bindery/runtime';
import { eachItem } from '../api/eachItem.ts';
import { leaveUndeclared, settle, type Planning } from './change.ts';
import type { PlannedSite } from './plannedSite.ts';

/** Plans the live redirects of a site, which their sources tell apart. */
export async function planRedirects(planning: Planning, site: PlannedSite): Promise<void> {
  const { api } = planning;
  const { name, declared, id, path } = site;
  const found =
    id === undefined
      ? []
      : await Array.fromAsync(
          eachItem<SiteRedirect>(
            api,
            (page) => `${path()}/redirects${apiPath`${{ orderBy: 'source', limit: 100, page }}`}`,
          ),
        );
  for (const [source, redirect] of Object.entries(declared.redirects)) {
    const { url, permanent } = { permanent: undefined, ...redirect };
    const json = compact({ source, destination: { kind: 'external', url }, permanent });
    const here = found.find((each) => each.source === source);
    const at = (redirectId: string) => `${path()}${apiPath`/redirects/${redirectId}`}`;
    await settle(planning, {
      name: `redirect ${source} of ${name}`,
      declared: json,
      found: here && { id: here.id, fields: here, path: at(here.id) },
      create: async () => {
        const { body } = await api.post(`${path()}/redirects`, { json });
        return { id: String(body['id']), path: at(String(body['id'])), set: Object.keys(json) };
      },
    });
  }
  for (const { id: own, source } of found)
    if (!Object.hasOwn(declared.redirects, source))
      await leaveUndeclared(planning, {
        name: `redirect ${source} of ${name}`,
        path: `${path()}${apiPath`/redirects/${own}`}`,
      });
}
