import { Language } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { directionOfLanguage } from '@bindery/render';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { typed } from '../../layout/form.ts';
import { languageChoices } from './languages.ts';

/** The terms in a form, by language; a language without a term is left out. */
export function termsIn(fields: URLSearchParams): Record<string, string> {
  const terms = Language.options.flatMap((code) => {
    const term = textIn(fields, `term-${code}`);
    return term === undefined ? [] : [[code, term] as const];
  });
  return Object.fromEntries(terms);
}

/**
 * A field for the term in each language.
 *
 * @param first  languages that come before the others, which are folded
 */
export function termFields(
  form: ApiForm,
  {
    tried,
    first,
    translations = {},
  }: { tried: Tried | undefined; first: readonly string[]; translations?: Record<string, string> },
): Html {
  const fieldOf = ([code, name]: [string, string]) => {
    const field = `term-${code}`;
    const value = typed(tried, form, field, translations[code]);
    return html`<label for="${field}">${name}</label>
<input id="${field}" name="${field}" type="text" value="${value}" lang="${code}" dir="${directionOfLanguage(code)}" autocomplete="off">\n`;
  };
  // English and one more, so that an empty glossary shows where to begin.
  const shown = new Set(first.length > 0 ? first : ['en', 'es']);
  const rest = Language.options.filter((code) => !shown.has(code));
  return html`${languageChoices([...shown]).map(fieldOf)}
<details><summary>Other languages</summary>${languageChoices(rest).map(fieldOf)}</details>`;
}
