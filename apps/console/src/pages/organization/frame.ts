import type { Organization } from '@bindery/contract';
import { html, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { Visit } from '../../http/route.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import { subpages } from '../../layout/subpages.ts';

/** Where the pages of an organization are. */
export const organizationPlace = '/organizations/:organization';

/** The path of an organization in the API. */
export function organizationApi({ organization = '' }: Record<string, string>): string {
  return apiPath`/orgs/${organization}`;
}

/** The path of an organization in the console. */
export function organizationPath({ id }: Pick<Organization, 'id'>): string {
  return `/organizations/${id}`;
}

/** Loads the organization of a path. @throws ApiFailure */
export async function loadOrganization({ api, params }: Visit): Promise<Organization> {
  return api.get<Organization>(organizationApi(params));
}

/** The pages above one of an organization. */
export function belowTitle(organization: Organization): Crumb[] {
  return [{ name: organization.title, path: organizationPath(organization) }];
}

/** A page of an organization, with links to the others. */
export function inOrganization(
  organization: Organization,
  visit: Visit,
  { title, main, above = belowTitle(organization) }: { title: string; main: Value; above?: Crumb[] },
): Page {
  return { title, above, main: html`${organizationPages(organization, visit)}${main}` };
}

/** Links to the pages of an organization that the caller may use. */
export function organizationPages(organization: Organization, { url }: Visit): Html {
  const path = organizationPath(organization);
  const { admin, listMembers, listTeams } = organization.permissions;
  const pages = [
    { name: 'Content', path, isOffered: true },
    { name: 'Translations', path: `${path}/translations`, isOffered: true },
    { name: 'API specifications', path: `${path}/openapi`, isOffered: true },
    { name: 'Members', path: `${path}/members`, isOffered: listMembers },
    { name: 'Teams', path: `${path}/teams`, isOffered: listTeams },
    { name: 'Invites', path: `${path}/invites`, isOffered: admin },
    { name: 'Single sign-on', path: `${path}/single-sign-on`, isOffered: admin },
    { name: 'Webhooks', path: `${path}/webhooks`, isOffered: admin },
    { name: 'Settings', path: `${path}/settings`, isOffered: admin },
  ];
  return subpages(
    'Organization',
    pages.filter(({ isOffered }) => isOffered),
    url,
  );
}

/**
 * A page of an organization for its admins; others read that it is for them.
 *
 * @param task  says what admins do there
 * @param below  the pages between the organization and this one, with paths below that of the organization
 * @param main  the content, for admins
 */
export async function adminPage(
  visit: Visit,
  {
    title,
    task,
    below = [],
    main,
  }: {
    title: string;
    task: string;
    below?: readonly Crumb[];
    main: (organization: Organization) => Promise<Html>;
  },
): Promise<Page> {
  const organization = await loadOrganization(visit);
  const base = organizationPath(organization);
  return inOrganization(organization, visit, {
    title,
    above: [...belowTitle(organization), ...below.map(({ name, path }) => ({ name, path: base + path }))],
    main: organization.permissions.admin ? await main(organization) : forAdmins(task),
  });
}

/** The text of a page whose forms are for admins. */
export function forAdmins(task: string): Html {
  return html`<p>Only admins of the organization ${task}.</p>`;
}
