import type { Organization, Space, Translation } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import type { Visit } from '../../http/route.ts';
import type { Crumb } from '../../layout/page.ts';
import { nameOfSpace } from '../links.ts';
import { belowTitle, organizationApi, organizationPath, organizationPlace } from '../organization/frame.ts';
import { nameOfLanguage } from './languages.ts';

/** Where the pages of a translation are. */
export const translationPlace = `${organizationPlace}/translations/:translation`;

/** As many spaces as one answer of the API holds. */
const listed = 1_000;

/** The path of a translation in the API. */
export function translationApi({ translation = '', ...params }: Record<string, string>): string {
  return organizationApi(params) + apiPath`/translations/${translation}`;
}

/** The path of a translation in the console. */
export function translationPath({ organization = '', translation = '' }: Record<string, string>): string {
  return `/organizations/${organization}/translations/${translation}`;
}

/** Loads the translation of a path. @throws ApiFailure */
export async function loadTranslation({ api, params }: Visit): Promise<Translation> {
  return api.get<Translation>(translationApi(params));
}

/** The pages above a translation. */
export function belowTranslations(organization: Organization): Crumb[] {
  return [
    ...belowTitle(organization),
    { name: 'Translations', path: `${organizationPath(organization)}/translations` },
  ];
}

/** The spaces of an organization that the caller sees, newest first. */
export async function listSpaces({ api, params }: Visit): Promise<Space[]> {
  return (await api.get<ListPage<Space>>(`${organizationApi(params)}/spaces${apiPath`${{ limit: listed }}`}`))
    .items;
}

/** A space by its id; its name is known where the caller sees it. */
export function spaceById(id: string, spaces: readonly Space[]): Html {
  const space = spaces.find((one) => one.id === id);
  return space
    ? html`<a href="/spaces/${id}">${nameOfSpace(space)}</a>`
    : html`a space that is deleted or hidden from you`;
}

export function linkTo(target: string, name: string): Html {
  return html`<a href="${target}">${name}</a>`;
}

/** The languages of a translation. */
export function pairName({ source, language }: Pick<Translation, 'source' | 'language'>): string {
  return `${nameOfLanguage(source.language)} into ${nameOfLanguage(language)}`;
}
