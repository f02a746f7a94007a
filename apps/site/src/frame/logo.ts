import type { SiteCustomization } from '@bindery/contract';
import { html, type Value } from '@bindery/html';

/** A logo in the picture for each theme; nothing without one. The title of the site stands beside it. */
export function writeLogo(logo: SiteCustomization['header']['logo'] | undefined): Value {
  if (!logo) return null;
  const { light, dark } = logo;
  if (light === dark) return html`<img src="${light}" alt="" height="32">`;
  return [
    html`<img class="on-light" src="${light}" alt="" height="32">`,
    html`<img class="on-dark" src="${dark}" alt="" height="32">`,
  ];
}
