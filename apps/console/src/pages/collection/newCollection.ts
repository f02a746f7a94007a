import type { Collection } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { formOf, typed } from '../../layout/form.ts';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import { textIn } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';
import { choiceField, textField } from '../../layout/field.ts';
import { organizationApi, organizationPlace } from '../organization/frame.ts';

/** Creates a collection; its fields stand beside those of a new space. */
export const createCollection: ApiForm = {
  path: `${organizationPlace}/collections`,
  request: (params, fields) => ({
    method: 'POST',
    path: `${organizationApi(params)}/collections`,
    json: { title: textIn(fields, 'collectionTitle') ?? '', parent: textIn(fields, 'collectionParent') },
  }),
  example: { collectionTitle: 'Products' },
};

export function newCollection(
  visit: Visit,
  { collections, tried }: { collections: readonly Collection[]; tried: Tried | undefined },
): Html {
  const options = [
    ['', 'None'] as const,
    ...collections.filter((one) => one.permissions.create).map(({ id, title }) => [id, title] as const),
  ];
  const value = (name: string) => typed(tried, createCollection, name);
  return html`<h2>Create a collection</h2>
${formOf(createCollection, {
  visit,
  tried,
  button: 'Create the collection',
  isMain: false,
  fields: html`${textField({ name: 'collectionTitle', label: 'Title', isRequired: true }, { value: value('collectionTitle') })}
${choiceField({ name: 'collectionParent', label: 'In the collection' }, { options, value: value('collectionParent') })}`,
})}`;
}
