import { z } from 'zod';
import { commaList, numbersIn, whole } from './parsers.ts';

/** Engines of translations, each an entry of the table in apps/worker-translation/src/engines.ts. */
const engineNames = ['apertium', 'apy', 'deepl', 'libretranslate', 'openai', 'pseudo-locale'] as const;
export type EngineName = (typeof engineNames)[number];

/** Parses `apertium,pseudo-locale`: names of a list, each once, in the order of the operator. */
const namesOf = <Name extends string>(names: readonly Name[], standard: Name) =>
  commaList
    .transform((list) => (list.length === 0 ? [standard] : list) as Name[])
    .superRefine((list, context) => {
      for (const name of list.filter((one) => !names.includes(one)))
        context.addIssue(`must be names of ${names.join(', ')}, separated by commas; ${name} is none`);
      if (new Set(list).size < list.length) context.addIssue('must have each name once');
    });

/** Parses `deepl=20,openai=1.5`. */
const priceList = z
  .string()
  .regex(
    /^$|^[a-z-]+=\d{1,9}(\.\d{1,6})?(,[a-z-]+=\d{1,9}(\.\d{1,6})?)*$/,
    'must look like `deepl=20,openai=1.5`',
  )
  .default('')
  .transform(numbersIn);

/** The URL of a service that the operator has chosen, to which paths are added. */
const serviceUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with https:// or http://' })
  .refine(
    (url) => !/[?#]|\/\/[^/]*@/.test(url),
    'must have no user name, password, query or fragment; the key has a variable of its own',
  )
  .transform((url) => url.replace(/\/$/, ''))
  .optional();

/** A key that is sent in a header, where other characters would be an error that shows it. */
const serviceKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,1000}$/, 'must be printable ASCII characters without spaces')
  .optional();

export const translation = {
  BINDERY_TRANSLATION_ENGINES: namesOf(engineNames, 'apertium').describe(
    'What translates, separated by commas: the first engine of the list that can do a pair of languages does it. `apertium` is on the machine of the worker; `apy`, `deepl`, `libretranslate` and `openai` are services that the variables below name; `pseudo-locale` only puts accents on letters to show what a translation would reach.',
  ),
  BINDERY_APERTIUM_ROOT: z
    .string()
    .startsWith('/', 'must be an absolute path')
    .default('/')
    .describe(
      'Folder below which `usr/share/apertium` lies: `/` for the packages of the system, or where they were unpacked.',
    ),
  BINDERY_TRANSLATION_DELAY_SECONDS: whole(0, 86_400, 60).describe(
    'How long the source of a translation, the glossary and the texts of people must have stayed the same before a run starts by itself, in seconds; ten times as long after the first change it starts anyway.',
  ),
  BINDERY_APY_URL: serviceUrl.describe(
    'URL of an Apertium APy, such as `http://apy:2737`. Like the URLs below, it may lead to a private address without being in `BINDERY_OUTBOUND_ALLOW`.',
  ),
  BINDERY_DEEPL_KEY: serviceKey.describe('Key of the DeepL API.'),
  BINDERY_DEEPL_URL: serviceUrl.describe(
    'URL of the DeepL API. Default: `https://api-free.deepl.com` for a key that ends in `:fx`, else `https://api.deepl.com`.',
  ),
  BINDERY_LIBRETRANSLATE_URL: serviceUrl.describe(
    'URL of a LibreTranslate, such as `http://libretranslate:5000`.',
  ),
  BINDERY_LIBRETRANSLATE_KEY: serviceKey.describe('Its API key, if it wants one.'),
  BINDERY_OPENAI_URL: serviceUrl.describe(
    'URL of an API with the chat completions of OpenAI, up to the version. Default: `https://api.openai.com/v1`.',
  ),
  BINDERY_OPENAI_KEY: serviceKey.describe('Its API key; an URL of your own may need none.'),
  BINDERY_OPENAI_MODEL: z
    .string()
    .regex(/^[^\s\p{Cc}]{1,200}$/u, 'must be a name without spaces')
    .optional()
    .describe('Name of the model that translates. Another model translates all texts again.'),
  BINDERY_TRANSLATION_PRICES: priceList.describe(
    'Prices of a million characters for the estimates of translations, in a currency of your choice: `deepl=20,openai=1.5`.',
  ),
  BINDERY_TRANSLATION_CHARACTERS_PER_DAY: whole(0, 1_000_000_000, 0).describe(
    'Maximum number of characters that engines over a network get from one organization on a day (UTC); 0 is no limit.',
  ),
  BINDERY_TRANSLATION_CALLS: whole(1, 1_000, 4).describe(
    'Maximum number of calls to an engine over a network at once, of all workers together.',
  ),
  BINDERY_TRANSLATION_CONCURRENCY: whole(1, 100, 1).describe(
    'Maximum number of translations that a worker process runs at once; `BINDERY_WORKER_CONCURRENCY` does not apply to them.',
  ),
};
