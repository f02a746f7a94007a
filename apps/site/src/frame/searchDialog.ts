import { html, type Html } from '@bindery/html';
import type { Words } from '@bindery/render';
import { below, type SitePaths } from '../page/sitePaths.ts';

/**
 * The search that answers as a reader types. Only its script opens it; without, readers have the form in the
 * header.
 */
export function writeSearchDialog({ paths, words }: { paths: SitePaths; words: Words }): Html {
  return html`<dialog id="~find" class="find" aria-label="${words.search}" data-answers="${below(paths.site, '~/search.json')}" data-failed="${words.searchFailed}">
<form role="search" action="${below(paths.site, '~/search')}">
<input type="text" name="q" role="combobox" aria-label="${words.search}" aria-controls="~found" aria-expanded="false" aria-autocomplete="list" autocomplete="off" spellcheck="false" maxlength="200" required>
<button type="button">${words.close}</button>
</form>
<p role="status">${words.enterWords}</p>
<div id="~found" role="listbox" aria-label="${words.search}" hidden></div>
</dialog>`;
}
