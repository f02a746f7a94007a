import { ChangeRequestPDFQuery, Job, PDFLink, SpacePDFQuery } from '@bindery/contract';
import { acceptOrJoin, pdfJobs } from '@bindery/jobs';
import { baseOf } from '../change-request/combineContent.ts';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inSpace } from '../space/space.scope.ts';
import { describeBook } from './describeBook.ts';
import { makePdf } from './makePdf.ts';

const description =
  'Waits for the worker for up to one minute. The same pages of the same revision are printed once, for all who ask. If the PDF is not' +
  ' ready, the answer is 503, and `Link` names its job; with `Prefer: respond-async` it is 202 with the job, at once.';
const shared = {
  description,
  permission: 'space.view',
  tags: ['PDF'],
  response: PDFLink,
  accepted: Job,
  startsJob: true,
} as const;

export const pdfRoutes = [
  inSpace.get(
    '/pdf',
    {
      ...shared,
      operationId: 'getSpacePDF',
      summary: 'Get the main content of a space as a PDF',
      query: SpacePDFQuery,
    },
    async ({ platform, space, actor, member, query, request, reply }) => {
      const { _id: id, organization, revision, title } = space;
      return makePdf({
        platform,
        actor,
        space,
        name: title,
        input: await describeBook(space, { revision, query, platform, member }),
        request,
        reply,
        accept: async (job) =>
          acceptOrJoin(pdfJobs.printSpace, {
            organization,
            subject: { type: 'space', id },
            startedBy: actor.user.id,
            permission: 'space.edit',
            starterControls: true,
            traceparent: request.traceparent,
            ...job,
          }),
      });
    },
  ),

  inChangeRequest.get(
    '/pdf',
    {
      ...shared,
      operationId: 'getChangeRequestPDF',
      summary: 'Get the content of a change request as a PDF',
      query: ChangeRequestPDFQuery,
    },
    async ({ platform, space, changeRequest, actor, member, query, request, reply }) => {
      const { _id: id, revision, subject, number } = changeRequest;
      return makePdf({
        platform,
        actor,
        space,
        name: `${space.title} #${number} ${subject}`,
        input: {
          ...(await describeBook(space, { revision, query, platform, member })),
          changeRequestId: id,
          number,
          subject,
          changesFrom: query.changes ? baseOf(changeRequest) : undefined,
        },
        request,
        reply,
        accept: async (job) =>
          acceptOrJoin(pdfJobs.printChangeRequest, {
            organization: space.organization,
            subject: { type: 'change-request', id },
            space: space._id,
            startedBy: actor.user.id,
            permission: 'space.edit',
            starterControls: true,
            traceparent: request.traceparent,
            ...job,
          }),
      });
    },
  ),
];
