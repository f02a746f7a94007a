import { html, type Html, type Value } from '@bindery/html';

/** A form that shows a list again, with the filters of its fields. */
export function searchForm(path: string, { fields, button }: { fields: Value; button: string }): Html {
  return html`<form method="get" action="${path}">${fields}<button>${button}</button></form>`;
}
