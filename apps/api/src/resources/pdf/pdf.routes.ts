import { PDFLink, PDFQuery } from '@bindery/contract';
import { acceptOrJoin, pdfJobs } from '@bindery/jobs';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inSpace } from '../space/space.scope.ts';
import { makePdf } from './makePdf.ts';

const description =
  'Waits for the worker for up to one minute. The same pages of the same revision are printed once. If the PDF is not ready, the' +
  ' answer is 503, and `Link` names its job.';
const tags = ['PDF'];

export const pdfRoutes = [
  inSpace.get(
    '/pdf',
    {
      operationId: 'getSpacePDF',
      summary: 'Get the main content of a space as a PDF',
      description,
      permission: 'space.view',
      tags,
      query: PDFQuery,
      response: PDFLink,
      startsJob: true,
    },
    async ({ platform, space, actor, query, request, reply }) => {
      const { _id: id, organization, revision, title } = space;
      const subject = { type: 'space', id } as const;
      const common = {
        organization,
        subject,
        startedBy: actor.user.id,
        permission: 'space.view',
        traceparent: request.traceparent,
      };
      return makePdf({
        platform,
        space,
        subject,
        revision,
        title,
        query,
        request,
        reply,
        accept: async (job) => acceptOrJoin(pdfJobs.printSpace, { ...common, ...job }),
      });
    },
  ),

  inChangeRequest.get(
    '/pdf',
    {
      operationId: 'getChangeRequestPDF',
      summary: 'Get the content of a change request as a PDF',
      description,
      permission: 'space.view',
      tags,
      query: PDFQuery,
      response: PDFLink,
      startsJob: true,
    },
    async ({ platform, space, changeRequest, actor, query, request, reply }) => {
      const { _id: id, revision, subject: words, number } = changeRequest;
      const subject = { type: 'change-request', id } as const;
      const common = {
        organization: space.organization,
        subject,
        space: space._id,
        startedBy: actor.user.id,
        permission: 'space.view',
        traceparent: request.traceparent,
      };
      return makePdf({
        platform,
        space,
        subject,
        revision,
        title: `${space.title} #${number} ${words}`.trim(),
        query,
        request,
        reply,
        accept: async ({ input, ...job }) =>
          acceptOrJoin(pdfJobs.printChangeRequest, {
            ...common,
            ...job,
            input: { ...input, changeRequestId: id },
          }),
      });
    },
  ),
];
