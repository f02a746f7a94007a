import { Language } from '@bindery/contract';
import { writeTmx, type ExchangeUnit } from '@bindery/exchange';
import { listTranslations, pairName } from '@bindery/models';
import { z } from 'zod';
import { inOrganization } from '../../organization/organization.scope.ts';
import { exchangeTypes, importAnswers, importFile } from './importFile.ts';
import { storeInMemory } from './importMemory.ts';
import { sendFile } from './sendFile.ts';

const tags = ['Translation'];
const Pair = z.object({ source: Language, target: Language });

/**
 * The memory of translated texts as a file for other tools. It has texts of all spaces, also of those that
 * only some members see: only admins may have it.
 */
export const translationMemoryRoutes = [
  inOrganization.raw(
    'get',
    '/translation-memory',
    {
      operationId: 'exportTranslationMemory',
      summary: 'Export the memory of translations for two languages as TMX 1.4b',
      description: 'Contains the texts of all spaces, including translations that are no longer used.',
      permission: 'organization.admin',
      tags,
      query: Pair,
      answers: [{ status: 200, description: 'The file.', contentType: exchangeTypes.tmx }],
    },
    async ({ organization, query: pair }, request, response) =>
      sendFile(
        { request, response },
        {
          name: `memory-${pair.source}-${pair.target}.tmx`,
          type: exchangeTypes.tmx,
          pieces: writeTmx(unitsOf(organization._id, pair), pair),
        },
      ),
  ),

  inOrganization.raw(
    'post',
    '/translation-memory',
    {
      operationId: 'importTranslationMemory',
      summary: 'Import a TMX file into the memory of translations',
      description:
        'The translations of these two languages are stored as texts of a person, which replace those of engines from the next run on. ' +
        'A unit that an engine could not have written (placeholders, numbers, links, terms) is refused, and others are stored.',
      permission: 'organization.admin',
      tags,
      query: Pair,
      accepts: exchangeTypes.tmx,
      version: 'none',
      answers: importAnswers,
    },
    async ({ organization: { _id: organization }, query: pair }, request, response) => {
      const report = await importFile(request, {
        ...{ format: 'tmx', organization, pair },
        store: async (units) => storeInMemory(units, { organization, pair }),
      });
      response.json(report);
    },
  ),
];

async function* unitsOf(
  organization: string,
  pair: { source: string; target: string },
): AsyncGenerator<ExchangeUnit> {
  const translations = listTranslations({ organization, pair: pairName(pair) });
  for await (const { key, source, role, text, origin } of translations)
    yield { id: key, source, target: text, role, state: origin };
}
