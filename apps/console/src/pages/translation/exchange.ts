import type { ImportReport } from '@bindery/contract';
import { facts, html, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { withQuery } from '../../api/withQuery.ts';
import type { ApiForm } from '../../http/apiForm.ts';
import { filesIn, textIn } from '../../http/fields.ts';
import type { Visit } from '../../http/route.ts';
import { fileField } from '../../layout/field.ts';
import { formOf } from '../../layout/form.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { importBytes } from '../import/uploadFiles.ts';
import { inOrganization, organizationApi } from '../organization/frame.ts';
import { linkTo, translationApi, translationPath, translationPlace } from './frame.ts';
import { loadReview, type Review } from './review.ts';

const problemsShown = 200;
const hint = 'At most 20 MB; for a larger one, use the command line.';

/** Takes texts that a translator wrote in another tool. */
export const importTexts: ApiForm = {
  path: `${translationPlace}/import`,
  fileBytes: importBytes,
  request: (params, fields) => ({
    method: 'POST',
    path: `${translationApi(params)}/import`,
    file: { type: 'application/xliff+xml', bytes: bytesIn(fields, 'texts') },
  }),
};

/** Takes translations of all spaces from another memory. */
export const importMemory: ApiForm = {
  path: `${translationPlace}/memory`,
  fileBytes: importBytes,
  request: (params, fields) => {
    const pair = { source: textIn(fields, 'source'), target: textIn(fields, 'target') };
    return {
      method: 'POST',
      path: `${organizationApi(params)}/translation-memory${apiPath`${pair}`}`,
      file: { type: 'application/x-tmx+xml', bytes: bytesIn(fields, 'memory') },
    };
  },
  example: { source: 'en', target: 'es' },
};

/** The bytes of a file; the API refuses a file without any. */
function bytesIn(fields: URLSearchParams, name: string): Uint8Array<ArrayBuffer> {
  return filesIn(fields, name)[0]?.bytes ?? new Uint8Array();
}

/** The files of a translation for other tools: exports, and forms that import. */
export function exchangeForms(
  visit: Visit,
  { organization, translation: { source, language }, mayCorrect }: Review,
): Html {
  const path = translationPath(visit.params);
  const pair = { source: source.language, target: language };
  const memory = withQuery(`/organizations/${organization.id}/translation-memory`, pair);
  const mayHaveMemory = organization.permissions.admin && mayUse(visit.session, 'admin');
  return html`<h2>Files for other tools</h2>
<p>The texts: ${linkTo(`${path}/export?format=xliff-1.2`, 'XLIFF 1.2')}, ${linkTo(`${path}/export?format=xliff-2.1`, 'XLIFF 2.1')}${mayHaveMemory && html`. The memory of these languages, with texts of all spaces: ${linkTo(memory, 'TMX')}`}</p>
${
  mayCorrect &&
  html`<p>Imported texts count as written by a person. They are in the result after the next run, which starts by itself.</p>
${formOf(importTexts, {
  visit,
  button: 'Import the texts',
  isMain: false,
  fields: fileField({ name: 'texts', label: 'XLIFF file', hint }, { endings: ['.xlf', '.xliff'] }),
})}`
}
${
  mayHaveMemory &&
  formOf(importMemory, {
    visit,
    button: 'Import into the memory',
    isMain: false,
    fields: html`<input type="hidden" name="source" value="${pair.source}">
<input type="hidden" name="target" value="${pair.target}">
${fileField({ name: 'memory', label: 'TMX file', hint }, { endings: ['.tmx'] })}`,
  })
}`;
}

/** Counts the outcomes of the units of an imported file, and lists the refused ones. */
export async function importReport(
  visit: Visit,
  { title, report }: { title: string; report: ImportReport },
): Promise<Page> {
  const { organization, above } = await loadReview(visit);
  const { units, stored, unchanged, untranslated, refused } = report;
  const path = `${translationPath(visit.params)}/segments`;
  return inOrganization(organization, visit, {
    title,
    above,
    main: html`${facts([
      ['Units of the file', units],
      ['Stored', stored],
      ['Unchanged', unchanged],
      ['Without a translation', untranslated],
      ['Refused', refused],
    ])}
${stored > 0 && html`<p>The stored texts are in the result after the next run, which starts by itself.</p>`}
<p>${linkTo(`${path}?state=human`, 'Texts of people')} ${linkTo(`${path}?state=conflict`, 'Texts whose source changed after an edit by hand')}</p>
${refused > 0 && problemTable(report)}`,
  });
}

function problemTable({ problems, refused }: ImportReport): Value {
  const shown = problems.slice(0, problemsShown);
  return table<ImportReport['problems'][number]>(
    { id: 'problems', caption: `Refused units: ${shown.length} of ${refused}`, none: undefined },
    [
      { name: 'Line', isNumber: true, cell: ({ line }) => line },
      { name: 'Unit', cell: ({ id }) => id },
      { name: 'Reason', cell: ({ message }) => message },
    ],
    shown,
  );
}
