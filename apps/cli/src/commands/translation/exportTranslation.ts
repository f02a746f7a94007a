import type { ReadableStream } from 'node:stream/web';
import type { Translation } from '@bindery/contract';
import { parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { saveBody } from '../api/saveBody.ts';
import { namedTranslation, refuseMore, translationOptions } from './namedTranslation.ts';

export const exportUsage = {
  command: 'translation export',
  operands: '<translation>',
  options: {
    format: {
      value: 'FORMAT',
      help: 'xliff-1.2 (default), xliff-2.1, or tmx: the memory of the organization for its languages.',
    },
    output: { value: 'FILE', short: 'o', help: 'Where to write it (default: named after the translation).' },
    ...translationOptions,
  },
} satisfies Usage;

const formats = ['xliff-1.2', 'xliff-2.1', 'tmx'];

/** @returns 0 when the file is written */
export async function exportTranslation(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { values, operands } = parseOptions(exportUsage, args);
  const [id, ...more] = operands;
  refuseMore(more);
  const { format = 'xliff-1.2' } = values;
  if (!formats.includes(format))
    throw new Refusal(`"${format}" is not a format.`, [`Choose from ${formats.join(', ')}.`]);
  const named = await namedTranslation(id, { values, environment });
  const answer = await named.api.open(
    format === 'tmx' ? await memoryPath(named) : `${named.path}/export?format=${format}`,
  );
  const file = values.output ?? `${id}.${format === 'tmx' ? 'tmx' : 'xlf'}`;
  const sizeBytes = await saveBody(answer.body as ReadableStream, file);
  console.log(`${file} (${Math.ceil(sizeBytes / 1_000)} kB)`);
  return 0;
}

/** The path of the memory for the languages of a translation. */
export async function memoryPath({
  api,
  organizationPath,
  path,
}: Awaited<ReturnType<typeof namedTranslation>>): Promise<string> {
  const { source, language } = (await api.get(path)) as unknown as Translation;
  const query = new URLSearchParams({ source: source.language, target: language });
  return `${organizationPath}/translation-memory?${query.toString()}`;
}
