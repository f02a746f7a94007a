import { JobError } from '@bindery/contract';
import { enginesThatCould, type Engine, type LanguagePair } from '@bindery/engines';

/**
 * Takes the first engine that can translate a pair.
 *
 * @throws JobError that names the engines that could
 */
export function chooseEngine(
  engines: readonly Engine[],
  pair: LanguagePair,
): { engine: Engine; route: readonly string[] } {
  for (const engine of engines) {
    const route = engine.route(pair);
    if (route) return { engine, route };
  }
  const names = engines.map(({ name }) => name);
  throw new JobError(
    'unsupported_language',
    `None of the configured engines (${names.join(', ')}) can translate ${pair.source} into ${pair.target}.`,
    {
      action: `Configure one that could (${enginesThatCould(pair, names).join(', ')}), and run the translation again.`,
    },
  );
}
