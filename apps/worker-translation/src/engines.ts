import type { EngineOffer } from '@bindery/contract';
import {
  apertiumPackages,
  missingOffer,
  offerOf,
  openApertium,
  pseudoLocaleEngine,
  type Engine,
} from '@bindery/engines';
import { messageOf, type Config, type EngineName, type Logger } from '@bindery/runtime';
import { StartProblem } from '@bindery/worker';
import { openService } from './serviceEngines.ts';
import { withGate } from './withGate.ts';

type EngineEntry = {
  /** @throws StartProblem that says what is missing */
  open(config: Config): Promise<Engine>;
  /** It is on the machine of the worker: nobody else can ask too much of it. */
  isLocal?: true;
};

const entries: Record<EngineName, EngineEntry> = {
  apy: { open: openService.apy },
  apertium: { open: openInstalledApertium, isLocal: true },
  deepl: { open: openService.deepl },
  libretranslate: { open: openService.libretranslate },
  openai: { open: openService.openai },
  'pseudo-locale': { open: async () => pseudoLocaleEngine, isLocal: true },
};

type OpenEngines = {
  engines: Engine[];
  /** The descriptions for other processes, also of engines that did not start. */
  offers: EngineOffer[];
};

/**
 * Opens the engines of a worker as configured, in their order. One that cannot start is a warning when
 * another one does.
 *
 * @throws StartProblem when none starts
 */
export async function openEngines(config: Config, logger: Logger): Promise<OpenEngines> {
  const engines: Engine[] = [];
  const offers: EngineOffer[] = [];
  const problems: StartProblem[] = [];
  for (const name of config.translation.engines)
    try {
      const { open, isLocal } = entries[name];
      const engine = await open(config);
      engines.push(isLocal ? engine : withGate(engine, config));
      offers.push(offerOf(engine));
    } catch (error) {
      if (!(error instanceof StartProblem)) throw error;
      problems.push(error);
      offers.push(missingOffer(name, `${error.reason ?? 'It does not start'}.`));
    }
  const [first, ...others] = problems;
  if (first && engines.length === 0)
    throw others.length === 0
      ? first
      : new StartProblem(problems.map(({ message }) => message).join(' '), {
          reason: problems.flatMap(({ reason }) => reason ?? []).join('; '),
        });
  for (const { message } of problems) logger.warn(`An engine of translations cannot be used: ${message}`);
  return { engines, offers };
}

const fix = `Install it (Debian: \`apt-get install ${apertiumPackages.join(' ')}\`), or name the folder that holds it in BINDERY_APERTIUM_ROOT.`;

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
