import {
  CreateTranslation,
  fromWord,
  GlossaryEntry,
  Id,
  Translation,
  UpdateGlossary,
  UpdateTranslation,
} from '@bindery/contract';
import { changeInstructions, estimateTranslation, runTranslation } from '@bindery/jobs';
import {
  GlossaryEntry as GlossaryEntryModel,
  type GlossaryEntryRecord,
  type MemberRecord,
} from '@bindery/models';
import { z } from 'zod';
import { findPage } from '../../records/findPage.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { changeGlossary } from './changeGlossary.ts';
import { createTranslation } from './createTranslation.ts';
import { deleteTranslation } from './deleteTranslation.ts';
import { pageOfTranslations, showTranslation } from './showTranslations.ts';
import { presentGlossaryEntry } from './translation.presenter.ts';
import { inGlossaryEntry, inTranslation } from './translation.scope.ts';

const tags = ['Translation'];

export const translationRoutes = [
  inOrganization.list(
    '/translations',
    {
      operationId: 'listTranslations',
      summary: 'List the translations of an organization',
      permission: 'organization.view',
      tags,
      query: z.object({
        space: Id.optional().describe('Only translations from or into this space.'),
      }),
      item: Translation,
    },
    async ({ platform: { links }, member, query }) => pageOfTranslations({ links, member }, query),
  ),

  inOrganization.post(
    '/translations',
    {
      operationId: 'createTranslation',
      summary: 'Translate a space into another language',
      description:
        'Answers at once and starts a job, named by `X-Job-Id` and `Link`. The result is a space in the collection of the source.',
      permission: 'organization.createContent',
      tags,
      bodySize: 'large',
      body: CreateTranslation,
      response: Translation,
      status: 201,
      idempotent: true,
      startsJob: true,
    },
    async ({ platform: { links }, member, body, request, reply }) => {
      const { translation, job } = await createTranslation(member, {
        body,
        traceparent: request.traceparent,
      });
      reply.startedJob(job._id);
      return showTranslation(translation, { links, member });
    },
  ),

  inTranslation.get(
    '',
    {
      operationId: 'getTranslation',
      summary: 'Get a translation',
      permission: 'translation.view',
      response: Translation,
      etag: true,
    },
    async ({ platform: { links }, translation, member, reply }) => {
      reply.version(translation.version);
      return showTranslation(translation, { links, member });
    },
  ),

  inTranslation.put(
    '',
    {
      operationId: 'updateTranslation',
      summary: 'Change the instructions of a translation and run it',
      permission: 'translation.edit',
      bodySize: 'large',
      body: UpdateTranslation,
      response: Translation,
      etag: true,
      startsJob: true,
    },
    async ({ platform: { links }, translation, member, actor, body, request, reply }) => {
      const { instructions } = body;
      const caller = { startedBy: actor.user.id, traceparent: request.traceparent };
      const run = await changeInstructions(translation, { instructions, ...caller });
      reply.startedJob(run.job._id);
      reply.version(run.translation.version);
      return showTranslation(run.translation, { links, member });
    },
  ),

  inTranslation.delete(
    '',
    {
      operationId: 'deleteTranslation',
      summary: 'Remove a translation but not its result space',
      permission: 'translation.edit',
    },
    async ({ translation }) => deleteTranslation(translation._id),
  ),

  inTranslation.post(
    '/run',
    {
      operationId: 'runTranslation',
      summary: 'Translate the current content of the source',
      description:
        'Joins an unfinished run with the same result: `X-Job-Id` names it. With `dryRun`, the job counts the words by origin, and the texts, calls and cost of each engine, in its result; nothing is translated.',
      permission: 'translation.edit',
      query: z.object({ dryRun: fromWord(z.boolean().default(false)) }),
      status: 204,
      idempotent: true,
      startsJob: true,
    },
    async ({ translation, actor, query, request, reply }) => {
      const caller = { startedBy: actor.user.id, traceparent: request.traceparent };
      const job = query.dryRun
        ? await estimateTranslation(translation, caller)
        : (await runTranslation(translation, caller)).job;
      reply.startedJob(job._id);
    },
  ),

  inOrganization.list(
    '/translations-glossary',
    {
      operationId: 'listGlossaryEntries',
      summary: 'List the glossary entries',
      permission: 'organization.view',
      tags,
      item: GlossaryEntry,
    },
    async ({ platform: { links }, member, query }) => {
      const { rows, ...page } = await findPage<GlossaryEntryRecord>(
        GlossaryEntryModel,
        glossaryOf(member),
        query,
      );
      return { ...page, items: rows.map((entry) => presentGlossaryEntry(entry, links)) };
    },
  ),

  inGlossaryEntry.get(
    '',
    {
      operationId: 'getGlossaryEntry',
      summary: 'Get a glossary entry',
      permission: 'organization.view',
      tags,
      response: GlossaryEntry,
    },
    async ({ platform: { links }, entry }) => presentGlossaryEntry(entry, links),
  ),

  inOrganization.put(
    '/translations-glossary',
    {
      operationId: 'updateGlossaryEntries',
      summary: 'Add, change and remove glossary entries',
      description: 'Applied in order, all or none. An update replaces the whole entry.',
      permission: 'organization.createContent',
      tags,
      body: UpdateGlossary,
    },
    async ({ organization, body }) => changeGlossary(organization._id, body.operations),
  ),
];

/** A filter for glossary entries. The glossary covers all content of an organization, so guests see none. */
function glossaryOf({ organization, role }: MemberRecord): { organization: string; _id?: { $in: string[] } } {
  return { organization, ...(role === null && { _id: { $in: [] } }) };
}
