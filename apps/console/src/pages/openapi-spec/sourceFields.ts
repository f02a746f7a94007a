import { html, type Html } from '@bindery/html';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import { choiceField, linesField, textField } from '../../layout/field.ts';
import { typed } from '../../layout/form.ts';

/** The example, secrets and limit of each form with a source. */
export const sourceForm = {
  example: {
    from: 'url',
    url: 'https://example.org/openapi.yaml',
    document: '{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1.0"}, "paths": {}}',
  },
  // A URL can have a login, and a document is too long for a command.
  secrets: ['url', 'document'],
  /** For a document of 2 MB: a form escapes many characters, each byte as three. */
  maxBytes: 6_000_000,
} satisfies Partial<ApiForm>;

/** The source in a form, as the API takes it. */
export function sourceIn(fields: URLSearchParams): object {
  return textIn(fields, 'from') === 'text'
    ? { text: (fields.get('document') ?? '').replaceAll('\r\n', '\n') }
    : { url: textIn(fields, 'url') ?? '' };
}

/** The fields of a source. */
export function sourceFields(form: ApiForm, tried: Tried | undefined): Html {
  const value = (name: string) => typed(tried, form, name);
  return html`${choiceField(
    { name: 'from', label: 'Source' },
    {
      options: [
        ['url', 'A URL, which is fetched now and again later'],
        ['text', 'The text below'],
      ],
      value: value('from'),
    },
  )}
${textField({ name: 'url', label: 'URL', hint: 'A login in it is stored encrypted, and shown nowhere.' }, { type: 'url', value: value('url') })}
${linesField({ name: 'document', label: 'Text', hint: 'JSON or YAML of about 2 MB at most; the API accepts 32 MB.' }, value('document'))}`;
}
