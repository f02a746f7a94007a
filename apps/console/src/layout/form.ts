import { html, type Html, type Value } from '@bindery/html';
import type { ApiRequest } from '../api/api.ts';
import { curlOf } from '../api/curl.ts';
import type { ApiForm, Tried } from '../http/apiForm.ts';
import type { Visit } from '../http/route.ts';
import { confirmField } from './field.ts';

/** How a form looks on a page. */
type FormLook = {
  visit: Visit;
  /** Parameters of its path beside those of the page. */
  params?: Record<string, string>;
  button: string;
  /** Its labels and inputs. */
  fields?: Value;
  tried?: Tried | undefined;
  isMain?: boolean;
  /** Fields for its command, instead of those of the form. */
  example?: Record<string, string> | undefined;
  /** Commands before that of its request. */
  before?: string;
};

/** A form, and its request to the API as a command. */
export function formOf(
  form: ApiForm,
  { visit, params, button, fields, tried, isMain = true, example = form.example, before }: FormLook,
): Html {
  const all = { ...visit.params, ...params };
  const mine = tried?.form === form ? tried : undefined;
  return html`<form method="post" action="${pathOf(form.path, all)}" enctype="${form.fileBytes !== undefined && 'multipart/form-data'}">${fields}${form.confirm !== undefined && confirmField(form.confirm)}<button class="${isMain && 'main'}">${button}</button></form>
${curlDetails(form.request(all, exampleOf(form, { tried: mine, example })), { visit, button, before })}`;
}

/** The request of a form as a command, folded below its button. */
export function curlDetails(
  request: ApiRequest,
  { visit: { platform }, button, before = '' }: Pick<FormLook, 'visit' | 'button' | 'before'>,
): Html {
  const command = before + curlOf(request, platform.config.api.publicUrl);
  return html`<details class="curl"><summary>Copy as curl<span class="hidden">: ${button}</span></summary><pre tabindex="0">${command}</pre></details>`;
}

/** Returns the value typed in a field of a form that the API refused, else the given one. */
export function typed(tried: Tried | undefined, form: ApiForm, name: string, otherwise = ''): string {
  return tried?.form === form ? (tried.fields.get(name) ?? '') : otherwise;
}

/** A path with its parameters filled in. */
function pathOf(template: string, params: Record<string, string>): string {
  return template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** The fields of the command: those that were sent, with examples for secrets; before that, examples. */
function exampleOf(
  { secrets = [] }: ApiForm,
  { tried, example = {} }: Pick<FormLook, 'tried' | 'example'>,
): URLSearchParams {
  const fields = new URLSearchParams(tried?.fields ?? example);
  for (const name of secrets) if (fields.get(name)) fields.set(name, example[name] ?? '');
  return fields;
}
