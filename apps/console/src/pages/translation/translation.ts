import type { ImportReport, Job, Translation, TranslationSegment } from '@bindery/contract';
import { facts, html, moment, type Html, type Value } from '@bindery/html';
import type { ListPage } from '../../api/api.ts';
import { orMissing } from '../../api/orMissing.ts';
import { withQuery } from '../../api/withQuery.ts';
import { formRoute, type ApiForm, type Tried } from '../../http/apiForm.ts';
import { linesIn } from '../../http/fields.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { linesField } from '../../layout/field.ts';
import { formOf, typed } from '../../layout/form.ts';
import { hasEnded } from '../../layout/jobState.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { toStartedJob } from '../links.ts';
import { inOrganization } from '../organization/frame.ts';
import { exchangeForms, importMemory, importReport, importTexts } from './exchange.ts';
import {
  belowTranslations,
  linkTo,
  listSpaces,
  pairName,
  spaceById,
  translationApi,
  translationPath,
  translationPlace,
} from './frame.ts';
import { instructionsOf, plainTextOf } from './instructions.ts';
import { nameOfLanguage } from './languages.ts';
import { lastRunOf, showRun, statusOf } from './lastRun.ts';
import { loadReview } from './review.ts';

const run: ApiForm = {
  path: `${translationPlace}/run`,
  request: (params) => ({ method: 'POST', path: `${translationApi(params)}/run` }),
};

const estimate: ApiForm = {
  path: `${translationPlace}/estimate`,
  request: (params) => ({ method: 'POST', path: `${translationApi(params)}/run?dryRun=true` }),
};

const instruct: ApiForm = {
  path: `${translationPlace}/instructions`,
  request: (params, fields) => ({
    method: 'PUT',
    path: translationApi(params),
    json: { instructions: instructionsOf(linesIn(fields, 'instructions') ?? '') },
  }),
  example: { instructions: 'Address the reader formally.' },
};

const remove: ApiForm = {
  path: `${translationPlace}/delete`,
  request: (params) => ({ method: 'DELETE', path: translationApi(params) }),
  confirm: 'Delete the translation; the space of its result stays, and follows its source no longer',
};

export const translationPageRoutes: readonly Route[] = [
  page(translationPlace, translationPage),
  ...[run, estimate].map((form) =>
    formRoute(form, {
      next: toStartedJob,
      again: translationPage,
    }),
  ),
  formRoute(instruct, {
    next: ({ params }) => ({ location: translationPath(params) }),
    again: translationPage,
  }),
  ...(
    [
      [importTexts, 'Import of texts'],
      [importMemory, 'Import into the memory'],
    ] as const
  ).map(([form, title]) =>
    formRoute<ImportReport>(form, {
      next: async (visit, { body: report }) => importReport(visit, { title, report }),
      again: translationPage,
    }),
  ),
  formRoute(remove, {
    next: ({ params }) => ({ location: `/organizations/${params['organization']}/translations` }),
    again: translationPage,
  }),
];

async function translationPage(visit: Visit, tried?: Tried): Promise<Page> {
  const review = await loadReview(visit);
  const { organization, translation } = review;
  const [job, spaces, conflicts, kept] = await Promise.all([
    lastRunOf(translation, visit),
    listSpaces(visit),
    countOf('conflict', visit),
    countOf('kept', visit),
  ]);
  const { source, result, createdAt } = translation;
  const path = translationPath(visit.params);
  return inOrganization(organization, visit, {
    title: pairName(translation),
    above: belowTranslations(organization),
    main: html`${isUnderWay(job) && html`<p class="note" role="status">A run is under way: <a href="/jobs/${job.id}">follow its job</a>.</p>`}
${facts([
  ['State', statusOf(translation)],
  ['Source', spaceById(source.space, spaces)],
  ['Result', result && spaceById(result.space, spaces)],
  ['Last run', showRun(job)],
  ['Engine', engineOf(job)],
  ['Created', moment(new Date(createdAt))],
  ...statsOf(translation),
])}
${conflicts !== undefined && html`${textLinks(path, { conflicts, kept })}${exchangeForms(visit, review)}`}
${forms(visit, { translation, tried })}`,
  });
}

function isUnderWay(job: Job | undefined): job is Job {
  return job !== undefined && !hasEnded(job);
}

/** The number of texts in a state, as far as the API counts; undefined where the caller sees no texts. */
async function countOf(
  state: TranslationSegment['state'],
  { api, params }: Visit,
): Promise<string | undefined> {
  const found = await orMissing(
    api.get<ListPage<TranslationSegment>>(
      withQuery(`${translationApi(params)}/segments`, { state, limit: 1 }),
    ),
  );
  return found && (found.count === undefined ? 'more than 1,000' : String(found.count));
}

/** The engine of a run, and the languages that its texts passed through. */
function engineOf(job: Job | undefined): Value {
  const { engine, route } = (job?.result ?? {}) as { engine?: string; route?: string[] };
  if (engine === undefined) return undefined;
  return `${engine}: ${(route ?? []).map(nameOfLanguage).join(', ')}`;
}

function statsOf({ stats }: Translation): [string, Value][] {
  if (stats.runs === 0) return [];
  const { runs, latestPages, latestWords, latestRunDuration, totalPages, totalWords } = stats;
  return [
    ['Translated by the last run', `${latestPages} pages, ${latestWords} words in ${latestRunDuration} s`],
    ['Translated by all runs', `${totalPages} pages, ${totalWords} words in ${runs} runs`],
  ];
}

function textLinks(
  path: string,
  { conflicts, kept }: { conflicts: string | undefined; kept: string | undefined },
): Html {
  return html`<h2>Texts</h2>
<ul><li>${linkTo(`${path}/segments`, 'All texts')}</li>
<li>${linkTo(`${path}/segments?state=conflict`, 'Source changed after an edit by hand')}: ${conflicts}</li>
<li>${linkTo(`${path}/segments?state=kept`, 'Not translated')}: ${kept}</li></ul>`;
}

type Given = { translation: Translation; tried: Tried | undefined };

function forms(visit: Visit, { translation, tried }: Given): Value {
  const { permissions } = translation;
  return html`${
    permissions.edit &&
    mayUse(visit.session, 'jobs') &&
    html`<h2>Run it</h2>
<p>A run also starts by itself after a change of the source, of the glossary or of a text.</p>
${formOf(run, { visit, button: 'Translate the present content' })}
${formOf(estimate, { visit, button: 'Count the work of a run', isMain: false })}
<h2>Instructions</h2>
${instructionsForm(visit, { translation, tried })}`
  }
${
  permissions.edit &&
  mayUse(visit.session, 'write') &&
  html`<h2>Delete it</h2>
${formOf(remove, { visit, button: 'Delete the translation', isMain: false })}`
}`;
}

function instructionsForm(visit: Visit, { translation, tried }: Given): Html {
  const text = plainTextOf(translation.instructions);
  if (text === undefined)
    return html`<p>They have formatting, which this form would remove. Change them through the API.</p>`;
  return formOf(instruct, {
    visit,
    tried,
    button: 'Save the instructions and run',
    fields: linesField(
      { name: 'instructions', label: 'Instructions', hint: 'For engines that follow them.' },
      typed(tried, instruct, 'instructions', text),
    ),
  });
}
