import { ApiError, notFound } from '@bindery/contract';
import { html } from '@bindery/html';
import {
  audited,
  cancelJob,
  listKindStates,
  pauseKind,
  proposeReplay,
  resumeKind,
  retryJob,
  startReplay,
} from '@bindery/jobs';
import type { Logger } from '@bindery/runtime';
import { readReplayFilter, type Fields } from './jobFilter.ts';
import { loadJob } from './jobPage.ts';
import type { AreaPage } from './layout.ts';
import { postForm } from './parts.ts';

/** The operator who acts, and the logger of the action. */
export type Acting = { operator: string; logger: Logger };

type Ask = { path: string; question: string; consequence: string; button: string; back: string };

/** The page that asks whether an action is meant. */
export function askPage({ path, question, consequence, button, back }: Ask): AreaPage {
  return {
    title: question,
    main: html`<p>${consequence}</p>
${postForm(path, button, { isMain: true })}
<p><a href="/admin/${back}">Back, without a change</a></p>`,
  };
}

const jobActions = {
  cancel: {
    act: cancelJob,
    button: 'Cancel the job',
    consequence:
      'A waiting job ends at once, a running one when its worker has stopped it. Its content is not published.',
  },
  retry: {
    act: retryJob,
    button: 'Retry the job',
    consequence: 'The job runs again under its id, with the same input, and its attempts are counted anew.',
  },
} as const;

export type JobAction = keyof typeof jobActions;

/** @throws ApiError not_found */
export async function askJobAction(action: JobAction, id: string): Promise<AreaPage> {
  const { _id, kind } = await loadJob(id);
  const { button, consequence } = jobActions[action];
  const question = `${action === 'cancel' ? 'Cancel' : 'Retry'} the ${kind} job ${_id}?`;
  return askPage({ path: `jobs/${_id}/${action}`, question, consequence, button, back: `jobs/${_id}` });
}

/** @returns the path to show next. @throws ApiError not_found, or conflict where the state forbids it */
export async function doJobAction(
  action: JobAction,
  id: string,
  { operator, logger }: Acting,
): Promise<string> {
  const { _id } = await loadJob(id);
  await audited({ operator, action, target: _id }, async () => jobActions[action].act(_id), { logger });
  return `/admin/jobs/${_id}`;
}

export type KindAction = 'pause' | 'resume';

/** @throws ApiError not_found for an unknown kind */
export async function askKindAction(action: KindAction, kind: string): Promise<AreaPage> {
  await requireKind(kind);
  return askPage({
    path: `kinds/${kind}/${action}`,
    question: `${action === 'pause' ? 'Pause' : 'Resume'} ${kind}?`,
    consequence:
      action === 'pause'
        ? 'Within a second, no worker starts a job of this kind any more. Running jobs end as usual, and waiting ones wait.'
        : 'The jobs that waited start in their order, as workers are free.',
    button: `${action === 'pause' ? 'Pause' : 'Resume'} ${kind}`,
    back: 'kinds',
  });
}

/** @returns the path to show next; @throws ApiError not_found for an unknown kind */
export async function doKindAction(
  action: KindAction,
  kind: string,
  { operator, logger }: Acting,
): Promise<string> {
  await requireKind(kind);
  const act = async () => (action === 'pause' ? pauseKind(kind, operator) : resumeKind(kind));
  await audited({ operator, action, target: kind }, act, { logger });
  return '/admin/kinds';
}

/** Prepares a replay. @returns the path of its dry run; @throws ApiError invalid_request */
export async function prepareReplay(fields: Fields, { operator }: Acting): Promise<string> {
  const filter = readReplayFilter(fields);
  if (!filter)
    throw new ApiError('invalid_request', 'Only failed, timed out and cancelled jobs can run again.', {
      action: 'Choose one of these states in the list of jobs.',
    });
  const { _id } = await proposeReplay(filter, operator);
  return `/admin/replays/${_id}`;
}

/** @returns the path to show next; @throws ApiError not_found */
export async function beginReplay(id: string, { operator, logger }: Acting): Promise<string> {
  await audited({ operator, action: 'replay', target: id }, async () => startReplay(id), { logger });
  return `/admin/replays/${id}`;
}

/** A change of a mistyped kind would stay unnoticed. @throws ApiError not_found */
export async function requireKind(kind: string): Promise<void> {
  const kinds = await listKindStates();
  if (!kinds.some((known) => known.kind === kind)) throw notFound('kind', kind);
}
