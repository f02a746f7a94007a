import type { Job } from '@bindery/contract';
import { html } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { formRoute, type ApiForm, type Tried } from '../http/apiForm.ts';
import type { Outcome } from '../http/outcome.ts';
import { page, type Route, type Visit } from '../http/route.ts';
import type { ApiReply } from '../api/api.ts';
import { formOf } from '../layout/form.ts';
import type { Page } from '../layout/page.ts';
import { mayUse } from '../session/mayUse.ts';
import { belowSpace, loadSpace } from './space/space.ts';

/** Prints a space. The answer is a link to the file, or the job that makes it. */
const printSpace: ApiForm = {
  path: '/spaces/:space/pdf',
  request: ({ space = '' }) => ({ method: 'GET', path: apiPath`/spaces/${space}/pdf`, isAsync: true }),
};

const printChangeRequest: ApiForm = {
  path: '/spaces/:space/change-requests/:number/pdf',
  request: ({ space = '', number = '' }) => ({
    method: 'GET',
    path: apiPath`/spaces/${space}/change-requests/${number}/pdf`,
    isAsync: true,
  }),
};

export const pdfRoutes: readonly Route[] = [printSpace, printChangeRequest].flatMap((form) => [
  page(form.path, async (visit) => pdfPage(visit, { form })),
  formRoute<{ url: string } | Job>(form, {
    next: async (visit, reply) => linkOrJob(visit, { reply, form }),
    again: pdfPage,
  }),
]);

async function linkOrJob(
  visit: Visit,
  { reply: { body }, form }: { reply: ApiReply<{ url: string } | Job>; form: ApiForm },
): Promise<Outcome> {
  const space = await loadSpace(visit);
  // A link, because a form cannot lead to another host.
  const main =
    'url' in body
      ? html`<p><a href="${body.url}">Download the PDF</a>: the link is valid for one hour.</p>`
      : html`<p class="note" role="status">It is being made: <a href="/jobs/${body.id}">see its job</a>, and come back when that has ended.</p>
${formOf(form, { visit, button: 'Get the PDF' })}`;
  return { title: 'PDF', above: belowSpace(space), main };
}

async function pdfPage(visit: Visit, { form }: Pick<Tried, 'form'>): Promise<Page> {
  const space = await loadSpace(visit);
  return {
    title: 'PDF',
    above: belowSpace(space),
    main: mayUse(visit.session, 'jobs')
      ? formOf(form, { visit, button: 'Get the PDF' })
      : html`<p>Your token does not allow to start jobs.</p>`,
  };
}
