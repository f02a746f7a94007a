import type { Capabilities, Space, Translation, TranslationEngine } from '@bindery/contract';
import { html, table, type Html } from '@bindery/html';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { linesIn, textIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { choiceField, linesField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { nameOfSpace } from '../links.ts';
import {
  inOrganization,
  loadOrganization,
  organizationApi,
  organizationPlace,
} from '../organization/frame.ts';
import { belowTranslations, listSpaces, translationPath } from './frame.ts';
import { instructionsOf } from './instructions.ts';
import { languageChoices, nameOfLanguage } from './languages.ts';
import { mayTranslate } from './translations.ts';

const create: ApiForm = {
  path: `${organizationPlace}/new-translation`,
  request: (params, fields) => {
    const instructions = linesIn(fields, 'instructions');
    return {
      method: 'POST',
      path: `${organizationApi(params)}/translations`,
      json: {
        language: textIn(fields, 'language'),
        source: { space: textIn(fields, 'space') ?? '', language: textIn(fields, 'sourceLanguage') },
        instructions: instructions && instructionsOf(instructions),
      },
    };
  },
  example: { space: 'SPACE', sourceLanguage: 'en', language: 'es' },
};

export const newTranslationRoutes: readonly Route[] = [
  page(create.path, newTranslation),
  formRoute<Translation>(create, {
    next: ({ params }, { body }) => ({ location: translationPath({ ...params, translation: body.id }) }),
    again: newTranslation,
  }),
];

async function newTranslation(visit: Visit, tried?: Tried): Promise<Page> {
  const organization = await loadOrganization(visit);
  return inOrganization(organization, visit, {
    title: 'Translate a space',
    above: belowTranslations(organization),
    main: mayTranslate(organization, visit)
      ? await creation(visit, tried)
      : html`<p>You may not create translations here.</p>`,
  });
}

async function creation(visit: Visit, tried: Tried | undefined): Promise<Html> {
  const [spaces, { translation }] = await Promise.all([
    listSpaces(visit),
    visit.api.get<Capabilities>('/system/capabilities'),
  ]);
  if (spaces.length === 0) return html`<p>There is no space that you may see.</p>`;
  const { engines, worker } = translation;
  return html`<p>The result is a space beside the source, with its access settings. It follows the source.</p>
${formOf(create, { visit, tried, button: 'Translate it', fields: fieldsOf(visit, { spaces, engines, tried }) })}
<h2>Engines</h2>
${engines.length === 0 && html`<p class="note">No worker runs translations now (${worker}). A translation waits for one.</p>`}
<p>The first engine of the list that can translate the two languages does it.</p>
${engineTable(engines)}`;
}

function fieldsOf(
  { query }: Visit,
  {
    spaces,
    engines,
    tried,
  }: { spaces: readonly Space[]; engines: readonly TranslationEngine[]; tried: Tried | undefined },
): Html {
  const value = (name: string, otherwise?: string) => typed(tried, create, name, otherwise);
  const space = value('space', query.get('space') ?? undefined);
  const written = spaces.find(({ id }) => id === space)?.language ?? 'en';
  return html`${choiceField(
    { name: 'space', label: 'Space' },
    { options: spaces.map((one) => [one.id, nameOfSpace(one)] as const), value: space },
  )}
${choiceField(
  { name: 'sourceLanguage', label: 'Its language' },
  { options: languagesOf(engines, 'sources'), value: value('sourceLanguage', written) },
)}
${choiceField(
  { name: 'language', label: 'Into' },
  { options: languagesOf(engines, 'targets'), value: value('language') },
)}
${linesField(
  {
    name: 'instructions',
    label: 'Instructions',
    hint: 'For engines that follow them, such as: Address the reader formally. May be empty.',
  },
  value('instructions'),
)}`;
}

/** The languages of some engine; all while there is none, because translations then wait for a worker. */
function languagesOf(engines: readonly TranslationEngine[], side: 'sources' | 'targets'): [string, string][] {
  const some = new Set<string>();
  for (const { pairs } of engines) {
    if (pairs === 'any') return languageChoices();
    for (const pair of pairs) for (const code of pair[side]) some.add(code);
  }
  return languageChoices(some.size > 0 ? [...some] : undefined);
}

function engineTable(engines: readonly TranslationEngine[]): Html {
  return table<TranslationEngine>(
    { id: 'engines', caption: 'Of the workers that run now', none: 'There are none.' },
    [
      { name: 'Engine', cell: ({ label }) => label },
      { name: 'Languages', cell: showPairs },
      {
        name: 'Instructions',
        cell: ({ abilities }) => abilities && (abilities.instructions ? 'followed' : 'not used'),
      },
      {
        name: 'State',
        cell: ({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`),
      },
    ],
    engines,
  );
}

function showPairs({ pairs }: TranslationEngine): Html | string {
  if (pairs === 'any') return 'all';
  const named = (codes: readonly string[]) => codes.map(nameOfLanguage).join(', ');
  return html`<ul>${pairs.map(
    ({ sources, targets, through }) =>
      html`<li>${named(sources)} into ${named(targets)}${through && ` (through ${named(through)})`}</li>`,
  )}</ul>`;
}
