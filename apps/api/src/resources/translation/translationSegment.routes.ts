import { TranslationSegment, translationSegmentStates, UpdateTranslationSegment } from '@bindery/contract';
import { TranslatedSegment, type TranslatedSegmentRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';
import { z } from 'zod';
import { findPage, type Order } from '../../records/findPage.ts';
import { changeSegment } from './changeSegment.ts';
import { presentSegment } from './translation.presenter.ts';
import { inTranslation, inTranslationSegment } from './translation.scope.ts';
import { requireEditOfResult, requireResult } from './visibleTranslations.ts';

/** Counting more would cost more than the page. */
const segmentsCounted = 1_000;

const byPage: Order = [
  ['page', 1],
  ['position', 1],
  ['_id', 1],
];

export const translationSegmentRoutes = [
  inTranslation.list(
    '/segments',
    {
      operationId: 'listTranslationSegments',
      summary: 'List the texts of a translation',
      description:
        'Shows the texts as the last run wrote them, page by page. `state` and `pageId` select; of more than 1,000 texts, `count` is absent.',
      permission: 'translation.view',
      query: z.object({
        state: z.enum(translationSegmentStates).optional(),
        pageId: z.string().min(1).max(256).optional(),
      }),
      item: TranslationSegment,
    },
    async ({ platform: { links }, translation, member, query: { state, pageId, ...query } }) => {
      await requireResult(translation, member);
      const { rows, ...page } = await findPage<TranslatedSegmentRecord>(
        TranslatedSegment,
        { translation: translation._id, ...compact({ state, page: pageId }) },
        { ...query, order: byPage, countsUpTo: segmentsCounted },
      );
      return { ...page, items: rows.map((segment) => presentSegment(segment, { translation, links })) };
    },
  ),

  inTranslationSegment.get(
    '',
    {
      operationId: 'getTranslationSegment',
      summary: 'Get a text of a translation',
      permission: 'translation.view',
      response: TranslationSegment,
      etag: true,
    },
    async ({ platform: { links }, translation, segment, reply }) => {
      reply.version(segment.version);
      return presentSegment(segment, { translation, links });
    },
  ),

  inTranslationSegment.patch(
    '',
    {
      operationId: 'updateTranslationSegment',
      summary: 'Translate a text by hand',
      description:
        'The result contains the text after the next run, which starts automatically. The text is kept until its source changes, and replaces the translation of each equal text of the organization. Requires permission to edit the space of the result.',
      permission: 'translation.edit',
      body: UpdateTranslationSegment,
      response: TranslationSegment,
      etag: true,
      requires: ({ translation, resultRole }) => requireEditOfResult(translation, resultRole),
    },
    async ({ platform: { links }, translation, segment, body, reply }) => {
      const changed = await changeSegment(segment, { translation, text: body.text });
      reply.version(changed.version);
      return presentSegment(changed, { translation, links });
    },
  ),
];
