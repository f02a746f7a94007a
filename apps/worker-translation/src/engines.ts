import { apertiumPackages, openApertium, pseudoLocaleEngine, type Engine } from '@bindery/engines';
import { messageOf, type Config } from '@bindery/runtime';
import { StartProblem } from '@bindery/worker';

const fix = `Install it (Debian: \`apt-get install ${apertiumPackages.join(' ')}\`), or name the folder that holds it in BINDERY_APERTIUM_ROOT.`;

/**
 * Opens the engine of a worker as configured.
 *
 * @throws StartProblem that says what is missing
 */
export async function openEngine(config: Config): Promise<Engine> {
  switch (config.translation.engine) {
    case 'apertium':
      return openInstalledApertium(config);
    case 'pseudo-locale':
      return pseudoLocaleEngine;
  }
}

async function openInstalledApertium({ translation, children }: Config): Promise<Engine> {
  const installation = { root: translation.apertiumRoot, firstUid: children.firstUid };
  const engine = await openApertium(installation).catch((error: unknown) => {
    throw new StartProblem(`Apertium does not start: ${messageOf(error)}. ${fix}`, {
      reason: 'Apertium does not start; the log of the worker says why',
      cause: error,
    });
  });
  if (!engine)
    throw new StartProblem(`there is no Apertium with a language pair that can be used. ${fix}`, {
      reason: 'Apertium is not installed',
    });
  return engine;
}
