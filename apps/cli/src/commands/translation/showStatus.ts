import type { Translation } from '@bindery/contract';
import { parseOptions, type Usage } from '../../options.ts';
import type { ApiAccess } from '../api/apiAccess.ts';
import { namedTranslation, refuseMore, translationOptions } from './namedTranslation.ts';

export const statusUsage = {
  command: 'translation status',
  operands: '<translation>',
  options: { json: { help: 'As the API shows it.' }, ...translationOptions },
} satisfies Usage;

/** @returns 0 when the translation has a result, else 1 */
export async function showStatus(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(statusUsage, args);
  const [id, ...more] = operands;
  refuseMore(more);
  const { api, path } = await namedTranslation(id, { values, environment });
  if (!values.json) return printStatus(api, path);
  const shown = await api.get(path);
  console.log(JSON.stringify(shown, null, 2));
  return exitCode(shown as unknown as Translation);
}

/** Prints what `showStatus` does. */
export async function printStatus(api: ApiAccess, path: string): Promise<number> {
  const shown = (await api.get(path)) as unknown as Translation;
  const { source, language, status, stats, result } = shown;
  console.log(`${source.language} to ${language}: ${status}`);
  if (result) console.log(`result: space ${result.space}, revision ${result.revision}`);
  console.log(
    `last run: ${stats.latestPages} pages, ${stats.latestWords} words, ${stats.latestRunDuration} s; ` +
      `${stats.runs} runs in all`,
  );
  return exitCode(shown);
}

function exitCode({ result }: Translation): number {
  return result ? 0 : 1;
}
