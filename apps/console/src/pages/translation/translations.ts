import type { Job, Organization, Space, Translation } from '@bindery/contract';
import { html, moment, table, type Html } from '@bindery/html';
import type { ListPage } from '../../api/api.ts';
import { withQuery } from '../../api/withQuery.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { furtherLink, placeIn } from '../../layout/furtherLink.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import {
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPath,
  organizationPlace,
} from '../organization/frame.ts';
import { linkTo, listSpaces, pairName, spaceById } from './frame.ts';
import { newestRuns, showRun, statusOf } from './lastRun.ts';

const place = `${organizationPlace}/translations`;
const shown = 20;

export const translationsRoutes: readonly Route[] = [page(place, translationsPage)];

/** The translations of an organization, or those from and into one space. */
async function translationsPage(visit: Visit): Promise<Page> {
  const { api, params, query } = visit;
  const space = query.get('space') ?? undefined;
  const [organization, found, runs, spaces] = await Promise.all([
    loadOrganization(visit),
    api.get<ListPage<Translation>>(
      withQuery(`${organizationApi(params)}/translations`, {
        space,
        limit: shown,
        page: placeIn(query),
      }),
    ),
    newestRuns(visit),
    listSpaces(visit),
  ]);
  const path = organizationPath(organization);
  return inOrganization(organization, visit, {
    title: 'Translations',
    main: html`${space !== undefined && html`<p>From and into ${spaceById(space, spaces)} only. ${linkTo(`${path}/translations`, 'All translations')}</p>`}
${translationTable(found.items, { organization, runs, spaces })}
${furtherLink(found, { path: `${path}/translations`, query, text: 'Further translations' })}
${
  mayTranslate(organization, visit) && newLink(path, space)
}<p>${linkTo(`${path}/glossary`, 'Glossary')}: terms and their translations</p>`,
  });
}

/** Whether the caller may create translations. */
export function mayTranslate({ permissions }: Organization, { session }: Visit): boolean {
  return permissions.createContent && mayUse(session, 'jobs');
}

function newLink(path: string, space: string | undefined): Html {
  const target = withQuery(`${path}/new-translation`, { space });
  return html`<p><a class="button" href="${target}">Translate a space</a></p>`;
}

function translationTable(
  translations: readonly Translation[],
  {
    organization,
    runs,
    spaces,
  }: { organization: Organization; runs: ReadonlyMap<string, Job>; spaces: readonly Space[] },
): Html {
  const path = organizationPath(organization);
  return table<Translation>(
    { id: 'translations', caption: 'Newest first. Times are UTC.', none: 'There are none that you may see.' },
    [
      {
        name: 'Translation',
        cell: (one) => linkTo(`${path}/translations/${one.id}`, pairName(one)),
      },
      { name: 'Source', cell: ({ source }) => spaceById(source.space, spaces) },
      { name: 'Result', cell: ({ result }) => result && spaceById(result.space, spaces) },
      { name: 'State', cell: statusOf },
      { name: 'Last run', cell: ({ id }) => showRun(runs.get(id)) },
      { name: 'Created', cell: ({ createdAt }) => moment(new Date(createdAt)) },
    ],
    translations,
  );
}
