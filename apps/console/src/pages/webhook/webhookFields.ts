import { CreateWebhook, type Webhook } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import type { ApiForm, Tried } from '../../http/apiForm.ts';
import { textIn, wordsIn } from '../../http/fields.ts';
import { checkField, linesField, textField } from '../../layout/field.ts';
import { typed } from '../../layout/form.ts';

/** The events that a webhook can be limited to. */
const events = CreateWebhook.shape.events.unwrap().element.options;

/** The settings of a webhook in a form. */
export function settingsIn(fields: URLSearchParams): object {
  return {
    url: textIn(fields, 'url') ?? '',
    description: textIn(fields, 'description') ?? '',
    events: events.filter((event) => fields.has(`event-${event}`)),
    spaces: wordsIn(fields, 'spaces'),
    enabled: fields.has('enabled'),
  };
}

/** The fields of a new webhook, or of one that changes. */
export function webhookFields(
  form: ApiForm,
  { tried, webhook }: { tried: Tried | undefined; webhook?: Webhook },
): Html {
  const value = (name: string, otherwise?: string) => typed(tried, form, name, otherwise);
  const isTicked = (name: string, otherwise: boolean) =>
    tried?.form === form ? tried.fields.has(name) : otherwise;
  const boxes = events.map((event) =>
    checkField(
      { name: `event-${event}`, label: event },
      isTicked(`event-${event}`, webhook?.events.includes(event) ?? false),
    ),
  );
  return html`${textField({ name: 'url', label: 'URL', isRequired: true }, { type: 'url', value: value('url', webhook?.url) })}
${textField({ name: 'description', label: 'Description' }, { value: value('description', webhook?.description) })}
<fieldset aria-describedby="about-events"><legend>Events</legend>${boxes}
<p class="hint" id="about-events">Without any, it gets all.</p></fieldset>
${linesField(
  { name: 'spaces', label: 'Only events of these spaces', hint: 'Their ids, one a line; empty for all.' },
  value('spaces', webhook?.spaces.join('\n')),
)}
${checkField({ name: 'enabled', label: 'Enabled' }, isTicked('enabled', webhook?.enabled ?? true))}`;
}
