import { JobError } from '@bindery/contract';
import {
  deeplUrl,
  openApy,
  openDeepl,
  openLibretranslate,
  openaiUrl,
  openOpenai,
  type Engine,
} from '@bindery/engines';
import { createOutbound, type Outbound } from '@bindery/outbound';
import { messageOf, type Config } from '@bindery/runtime';
import { StartProblem } from '@bindery/worker';

type OpenEngine = (config: Config) => Promise<Engine>;

/**
 * Opens the engines that ask a service.
 *
 * @throws StartProblem that says what is missing
 */
export const openService = {
  apy: async (config) => {
    const url = required(config.translation.apy.url, { engine: 'apy', variable: 'BINDERY_APY_URL' });
    const outbound = outboundTo(url, config);
    return reached(openApy({ outbound, url }), { engine: 'apy', outbound });
  },
  deepl: async (config) => {
    const { deepl } = config.translation;
    const key = required(deepl.key, { engine: 'deepl', variable: 'BINDERY_DEEPL_KEY' });
    const url = deepl.url ?? deeplUrl(key);
    return openDeepl({ outbound: outboundTo(url, config), url, key });
  },
  libretranslate: async (config) => {
    const { url: given, key } = config.translation.libretranslate;
    const url = required(given, { engine: 'libretranslate', variable: 'BINDERY_LIBRETRANSLATE_URL' });
    const outbound = outboundTo(url, config);
    return reached(openLibretranslate({ outbound, url, key }), { engine: 'libretranslate', outbound });
  },
  openai: async (config) => {
    const { openai } = config.translation;
    const engine = 'openai';
    const model = required(openai.model, { engine, variable: 'BINDERY_OPENAI_MODEL' });
    // A server of your own may want no key.
    const { url = openaiUrl } = openai;
    const key = openai.url ? openai.key : required(openai.key, { engine, variable: 'BINDERY_OPENAI_KEY' });
    return openOpenai({ outbound: outboundTo(url, config), url, key, model });
  },
} satisfies Record<string, OpenEngine>;

function required<T>(value: T | undefined, { engine, variable }: { engine: string; variable: string }): T {
  if (value !== undefined) return value;
  throw new StartProblem(
    `the engine ${engine} needs ${variable}, which is not set. See docs/translation.md.`,
    { reason: `${variable} is not set` },
  );
}

/** @throws StartProblem for a service that has to answer before its engine can be used, and does not */
async function reached(
  opening: Promise<Engine>,
  { engine, outbound }: { engine: string; outbound: Outbound },
): Promise<Engine> {
  return opening.catch(async (error: unknown) => {
    await outbound.close();
    const action = (error instanceof JobError && error.action) || '';
    throw new StartProblem(`${messageOf(error)} ${action}`.trim(), {
      reason: `The engine ${engine} cannot be reached; the log of the worker says why`,
      cause: error,
    });
  });
}

/** The operator has chosen the service, so it may have a private address. No member can name one here. */
function outboundTo(url: string, { outbound }: Config): Outbound {
  const { hostname, port, protocol } = new URL(url);
  const { refused, caFile } = outbound;
  const service = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return createOutbound({ allow: [service], refused, caFile });
}
