import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ImportReport } from '@bindery/contract';
import { messageOf } from '@bindery/runtime';
import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { plain } from '../api/plain.ts';
import { memoryPath } from './exportTranslation.ts';
import { namedTranslation, refuseMore, translationOptions } from './namedTranslation.ts';

export const importUsage = {
  command: 'translation import',
  operands: '<translation> <file>',
  options: translationOptions,
} satisfies Usage;

/**
 * Sends an XLIFF file to its translation, or a TMX file (by its name) to the memory of the organization for
 * the languages of the translation.
 *
 * @returns 0 when all texts were taken, 1 when some were refused
 */
export async function importTranslation(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { values, operands } = parseOptions(importUsage, args);
  const [id, file, ...more] = operands;
  refuseMore(more);
  if (file === undefined) throw new Refusal('`bindery translation import` needs a translation and a file.');
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Refusal(`${file} cannot be read: ${messageOf(error)}`, [], { cause: error });
  });
  const named = await namedTranslation(id, { values, environment });
  const path = extname(file).toLowerCase() === '.tmx' ? await memoryPath(named) : `${named.path}/import`;
  const { body } = await named.api.post(path, { bytes, type: 'application/xml' });
  const report = body as unknown as ImportReport;
  for (const { id: unit, line, message } of report.problems)
    console.error(`${file}:${line}: ${plain(`${unit} ${message}`.trim())}`);
  const { units, stored, unchanged, untranslated, refused } = report;
  console.log(
    `${units} units: ${stored} stored, ${unchanged} unchanged, ${untranslated} untranslated, ${refused} refused`,
  );
  return refused > 0 ? 1 : 0;
}
