import type { OpenAPISpec, OpenAPISpecVersion, Organization } from '@bindery/contract';
import { html, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { Visit } from '../../http/route.ts';
import type { Crumb, Page } from '../../layout/page.ts';
import {
  belowTitle,
  inOrganization,
  loadOrganization,
  organizationPath,
  organizationPlace,
} from '../organization/frame.ts';

/** Where the list of the specifications of an organization is. */
export const specsPlace = `${organizationPlace}/openapi`;

/** Where the pages of a specification are. */
export const specPlace = `${specsPlace}/:spec`;

/** The path of a specification in the API. */
export function specApi({ organization = '', spec = '' }: Record<string, string>): string {
  return apiPath`/orgs/${organization}/openapi/${spec}`;
}

/** The path of a specification in the console. */
export function specPath({ organization = '', spec = '' }: Record<string, string>): string {
  return `/organizations/${organization}/openapi/${spec}`;
}

/** Loads the specification of a path. @throws ApiFailure */
export async function loadSpec({ api, params }: Visit): Promise<OpenAPISpec> {
  return api.get<OpenAPISpec>(specApi(params));
}

/** The pages above that of a specification. */
export function belowSpecs(organization: Organization): Crumb[] {
  const path = `${organizationPath(organization)}/openapi`;
  return [...belowTitle(organization), { name: 'API specifications', path }];
}

/** A page below that of a specification. */
export async function inSpec(visit: Visit, { title, main }: { title: string; main: Value }): Promise<Page> {
  const organization = await loadOrganization(visit);
  const { spec = '' } = visit.params;
  const above = [...belowSpecs(organization), { name: spec, path: specPath(visit.params) }];
  return inOrganization(organization, visit, { title, above, main });
}

/** The name that a version has in its document. */
export function nameOfVersion({ id, title, version }: OpenAPISpecVersion): string {
  return `${title} ${version}`.trim() || id;
}

/** Leads to the page of a version. */
export function versionLink(version: OpenAPISpecVersion, params: Visit['params']): Html {
  const path = `${specPath(params)}/versions/${version.id}`;
  return html`<a href="${path}">${nameOfVersion(version)}</a>`;
}

/** The first items of a list, and a line that counts those left out. */
export function firstOf<Item>(
  items: readonly Item[],
  { shown, count = items.length }: { shown: number; count?: number },
): { first: Item[]; more: Value } {
  const first = items.slice(0, shown);
  const left = count - first.length;
  return { first, more: left > 0 && html`<p>and ${left} more</p>` };
}
