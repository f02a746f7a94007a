import { html, type Html, type Value } from '@bindery/html';

/** With more options, a page would be larger than 25 kB when compressed. */
const maxOptions = 800;

type Field = { name: string; label: string; hint?: string; isRequired?: boolean };

/** An input of one line with its label. Names of fields are unique on a page. */
export function textField(
  { name, label, hint, isRequired = false }: Field,
  { value = '', type = 'text' }: { value?: string; type?: 'text' | 'url' | 'password' } = {},
): Html {
  return labelled(
    { name, label, hint },
    html`<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="off" aria-describedby="${hint !== undefined && `about-${name}`}" ?required=${isRequired}>`,
  );
}

/** An input of several lines. */
export function linesField({ name, label, hint }: Field, value = ''): Html {
  return labelled(
    { name, label, hint },
    html`<textarea id="${name}" name="${name}" rows="4" aria-describedby="${hint !== undefined && `about-${name}`}">
${value}</textarea>`,
  );
}

/** A choice of a file on the computer of the user. @param endings  those that the browser offers first */
export function fileField(
  { name, label, hint }: Field,
  { endings = [], isMultiple = false }: { endings?: readonly string[]; isMultiple?: boolean } = {},
): Html {
  return labelled(
    { name, label, hint },
    html`<input id="${name}" name="${name}" type="file" accept="${endings.length > 0 && endings.join(',')}" aria-describedby="${hint !== undefined && `about-${name}`}" ?multiple=${isMultiple} required>`,
  );
}

/**
 * A choice of one.
 *
 * @param options  values and their names; behind the first 800, only the chosen one is offered
 */
export function choiceField(
  { name, label, hint }: Field,
  { options, value }: { options: readonly (readonly [string, string])[]; value?: string },
): Html {
  const offered = options.filter(([one], index) => index < maxOptions || one === value);
  const all = offered.map(
    ([one, title]) => html`<option value="${one}" ?selected=${one === value}>${title}</option>`,
  );
  return labelled({ name, label, hint }, html`<select id="${name}" name="${name}">${all}</select>`);
}

/** A box to tick. */
export function checkField({ name, label }: Field, isChecked: boolean): Html {
  return html`<label class="check"><input name="${name}" type="checkbox" value="true" ?checked=${isChecked}>${label}</label>`;
}

/** A box that has to be ticked before a form is sent. */
export function confirmField(label: string): Html {
  return html`<label class="check"><input name="confirm" type="checkbox" value="true" required>${label}</label>`;
}

function labelled({ name, label, hint }: Field, input: Value): Html {
  return html`<label for="${name}">${label}</label>
${input}
${hint !== undefined && html`<p class="hint" id="about-${name}">${hint}</p>`}`;
}
