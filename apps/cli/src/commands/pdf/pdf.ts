import { dataOption, parseOptions, type Parsed, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi, type ApiAccess } from '../api/apiAccess.ts';
import { followJob } from '../api/followJob.ts';
import { saveFile } from './saveFile.ts';
import { showProgress } from '../api/showProgress.ts';

export const pdfUsage = {
  command: 'pdf',
  operands: '<space>[/<change request>]',
  options: {
    output: { value: 'FILE', short: 'o', help: 'Where to write it (default: named after the space).' },
    page: { value: 'ID', help: 'Only this page and the pages below it.' },
    only: { help: 'With `--page`: only that page.' },
    changes: { help: 'Of a change request: only its changes, marked.' },
    'page-size': { value: 'SIZE', help: 'a4 or letter (default: a4).' },
    ...dataOption,
  },
} satisfies Usage;

/**
 * Asks the API of an installation for a PDF: the one named by BINDERY_API_URL and BINDERY_TOKEN, else the one
 * run by `bindery up`.
 *
 * @returns 0 when the file is written
 */
export async function pdf(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(pdfUsage, args);
  const path = pathOf(operands, values);
  const api = openApi({ data: values.data, environment });
  const url = await requestPdf(api, path);
  const { file, sizeBytes } = await saveFile(api.reach(url), values.output);
  console.log(`${file} (${Math.ceil(sizeBytes / 1_000)} kB)`);
  return 0;
}

type Values = Parsed<typeof pdfUsage>['values'];

function pathOf(operands: readonly string[], values: Values): string {
  const [subject = ''] = operands;
  const [space, changeRequest, ...more] = subject.split('/');
  if (!space || changeRequest === '' || more.length > 0 || operands.length !== 1)
    throw new Refusal('`bindery pdf` needs the id of one space, or `<space>/<change request>`.', [
      'The id of a space is in its URL: /s/<id>.',
    ]);
  const query = new URLSearchParams();
  if (values.page !== undefined) query.set('page', values.page);
  if (values.only) query.set('only', 'true');
  if (values.changes) query.set('changes', 'true');
  if (values['page-size'] !== undefined) query.set('pageSize', values['page-size']);
  const place = changeRequest === undefined ? '' : `/change-requests/${encodeURIComponent(changeRequest)}`;
  return `/spaces/${encodeURIComponent(space)}${place}/pdf?${query.toString()}`;
}

/** @returns the URL of the file. @throws Refusal when the job does not succeed */
async function requestPdf(api: ApiAccess, path: string): Promise<string> {
  const progress = showProgress(process.stderr);
  try {
    const answer = await api.get(path, { prefer: 'respond-async' });
    if ('url' in answer) return String(answer['url']);
    await followJob(api, String(answer['id']), progress.show);
    const ended = await api.get(path);
    return String(ended['url']);
  } finally {
    progress.end();
  }
}
