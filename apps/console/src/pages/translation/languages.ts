import { Language } from '@bindery/contract';

const names = new Intl.DisplayNames('en', { type: 'language' });

/** The English name of a language. */
export function nameOfLanguage(code: string): string {
  return names.of(code) ?? code;
}

/** Languages to choose from, by name. */
export function languageChoices(codes: readonly string[] = Language.options): [string, string][] {
  return codes
    .map((code): [string, string] => [code, nameOfLanguage(code)])
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));
}
