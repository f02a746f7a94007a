import { html, type Html } from '@bindery/html';
import type { Crumb } from './page.ts';

/** Links to the pages of one object, above the content of each. @param current  path of the request */
export function subpages(label: string, pages: readonly Crumb[], current: string): Html {
  const [here] = current.split('?');
  const links = pages.map(
    ({ name, path }) =>
      html`<li><a href="${path}" aria-current="${path === here && 'page'}">${name}</a></li>`,
  );
  return html`<nav class="subpages" aria-label="${label}"><ul>${links}</ul></nav>`;
}
