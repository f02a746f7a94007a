import { writeXliff12, writeXliff21, type ExchangeUnit } from '@bindery/exchange';
import { TranslatedSegment, type TranslatedSegmentRecord, type TranslationRecord } from '@bindery/models';
import { z } from 'zod';
import { inTranslation, inTranslationWithResult } from '../translation.scope.ts';
import { requireEditOfResult, requireResult } from '../visibleTranslations.ts';
import { exchangeTypes, importAnswers, importFile } from './importFile.ts';
import { storeSegments } from './importSegments.ts';
import { pairOf } from './keepTexts.ts';
import { sendFile } from './sendFile.ts';

const writers = { 'xliff-1.2': writeXliff12, 'xliff-2.1': writeXliff21 };

/** The texts of a translation as a file for other tools. */
export const translationExchangeRoutes = [
  inTranslation.raw(
    'get',
    '/export',
    {
      operationId: 'exportTranslation',
      summary: 'Export the texts of a translation as XLIFF',
      description: 'Contains the texts of the last run, with a file for each page.',
      permission: 'translation.view',
      query: z.object({ format: z.enum(['xliff-1.2', 'xliff-2.1']).default('xliff-1.2') }),
      answers: [{ status: 200, description: 'The file.', contentType: exchangeTypes.xliff }],
    },
    async ({ translation, member, query: { format } }, request, response) => {
      await requireResult(translation, member);
      await sendFile(
        { request, response },
        {
          name: `${translation._id}.xlf`,
          type: exchangeTypes.xliff,
          pieces: writers[format](unitsOf(translation), pairOf(translation)),
        },
      );
    },
  ),

  inTranslationWithResult.raw(
    'post',
    '/import',
    {
      operationId: 'importTranslation',
      summary: 'Import an XLIFF file with texts of a translation',
      description:
        'Changed translations are stored as texts of a person, which are in the result after the next run. ' +
        'A unit whose source is no longer in the translation is refused, and so is one that an engine could not have written ' +
        '(placeholders, numbers, links, terms); others are stored. Requires permission to edit the space of the result. The version of XLIFF is that of the file.',
      permission: 'translation.edit',
      accepts: exchangeTypes.xliff,
      version: 'none',
      answers: importAnswers,
      requires: ({ translation, resultRole }) => requireEditOfResult(translation, resultRole),
    },
    async ({ translation }, request, response) => {
      const report = await importFile(request, {
        ...{ format: 'xliff', organization: translation.organization, pair: pairOf(translation) },
        store: async (units) => storeSegments(units, translation),
      });
      response.json(report);
    },
  ),
];

async function* unitsOf({ _id: translation }: TranslationRecord): AsyncGenerator<ExchangeUnit> {
  const segments = TranslatedSegment.find({ translation, state: { $ne: 'removed' } })
    .sort({ page: 1, position: 1, _id: 1 })
    .lean<TranslatedSegmentRecord[]>()
    .cursor({ batchSize: 1_000 });
  for await (const segment of segments) yield unitOf(segment);
}

function unitOf({ key, page, title, role, state, source, target }: TranslatedSegmentRecord): ExchangeUnit {
  return {
    ...{ id: key, source, role, page: `${title} (${page})` },
    target,
    state: state === 'removed' ? undefined : state,
  };
}
