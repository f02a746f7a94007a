import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { childUidRange, standardChildUid } from './limitedProcess/isolation.ts';

/**
 * Parses `"60"` as seconds, bytes or a number of things: whole numbers only, because `1e3`, `0x10` and `""`
 * are always mistakes in an environment.
 */
const whole = (min: number, max: number, standard: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(standard);

/** Whether the `%XX` in a URL are valid UTF-8 without NUL, which would end a path for the system. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}

function numbersIn(text: string): Record<string, number> {
  const items = text.split(',').filter(Boolean);
  return Object.fromEntries(
    items.map((item) => item.split('=')).map(([name, number]) => [name, Number(number)]),
  );
}

/** Parses `git-export=1,content-import=2`. */
const numbersByName = () =>
  z
    .string()
    .regex(
      /^([a-z-]+=[1-9]\d{0,3}(,(?=.)|$))*$/,
      'must be names with numbers from 1 to 9999, such as `git-export=1,content-import=2`',
    )
    .default('')
    .transform(numbersIn);

const flag = z.enum(['true', 'false'], 'must be true or false').transform((word) => word === 'true');

/** Engines of translations, each an entry of the table in apps/worker-translation/src/engines.ts. */
export const engineNames = ['apertium', 'apy', 'deepl', 'libretranslate', 'openai', 'pseudo-locale'] as const;
export type EngineName = (typeof engineNames)[number];

const commaList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

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

/** Host names such as `docs.example.com`, because only a bare host can match the `proxy` of a site. */
const hostList = commaList
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .superRefine((hosts, context) => {
    for (const host of hosts.filter((one) => !/^([\w-]+\.)+[a-z]{2,}$/.test(one)))
      context.addIssue(
        `must be host names such as docs.example.com, without scheme, port, path or *; ${host} is none`,
      );
  });

const secretKey = z
  .string()
  .regex(
    /^[0-9a-f]{64}$/i,
    'must be 64 hexadecimal characters (32 bytes); make one with `openssl rand -hex 32`',
  )
  .transform((hex) => Buffer.from(hex, 'hex'));

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

/**
 * All variables that the platform's processes read; the description of each is also its row in
 * docs/configuration.md. The groups only help the reader: the environment itself is flat.
 */
export const configSchema = {
  stores: {
    MONGODB_URI: z
      .string()
      .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
      .refine(isDecodable, 'must have %XX for the bytes of UTF-8 only')
      .describe(
        'MongoDB, version 6 or later, a replica set (one node is enough). For a Unix socket, write its URL-encoded path as the host: `mongodb://%2Frun%2Fmongod.sock/bindery`.',
      ),
    REDIS_URL: z
      .string()
      .refine(
        (url) =>
          /^(rediss?:\/\/|unix:\/\/\/([^?#%\s]|%[0-9a-f]{2})+(\?db=\d{1,5})?$)/i.test(url) &&
          isDecodable(url),
        'must begin with redis:// or rediss://, or be unix:///path/to/redis.sock, where ?db=N at the end chooses a database',
      )
      .describe(
        'Redis 6.2 or later or Valkey, with `maxmemory-policy noeviction`. It stores only the job queues, the rate limits, and when translation engines may be asked again. For a Unix socket: `unix:///run/redis.sock?db=0`.',
      ),
    BINDERY_QUEUE_PREFIX: z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/, 'must be lower case letters, digits and hyphens')
      .default('bindery')
      .describe('Prefix of every key in Redis, for installations that share one.'),
  },
  secrets: {
    BINDERY_SECRET_KEY: secretKey.describe(
      'Encrypts git credentials and signs URLs and page tokens: 64 hexadecimal characters. `npm start` creates one in the data folder.',
    ),
    BINDERY_SECRET_KEY_PREVIOUS: secretKey
      .optional()
      .describe('The previous key, to decrypt and verify data from before a key rotation.'),
    BINDERY_VISITOR_CLAIMS_KEY: z
      .string()
      .min(32, 'must be at least 32 characters; make one with `openssl rand -hex 32`')
      .optional()
      .describe(
        'HS256 key of the tokens that identify members to sites with authenticated visitors, at least 32 characters. By default there are no such tokens.',
      ),
  },
  api: {
    HOST: z
      .string()
      .default('127.0.0.1')
      .describe('Address that the API and the health endpoint of a worker listen on.'),
    PORT: whole(0, 65535, 3000).describe('Port that the API listens on; 0 takes a free one.'),
    BINDERY_PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Origin under which users reach the API, without `/v1`. Default: `http://HOST:PORT`.'),
    BINDERY_APP_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'Origin of the application: `urls.app` points to it, and sites without a hostname of their own are published below it. ' +
          "GitBook's reader takes no URL with a port. Default: the public URL.",
      ),
    BINDERY_TRUST_PROXY: commaList.describe(
      'Addresses or CIDR ranges of trusted reverse proxies, whose `X-Forwarded-*` headers are used, separated by commas.',
    ),
    BINDERY_PROVEN_HOSTS: hostList.describe(
      'Host names, without port and path, that need no verification in the `proxy` of a site, separated by commas. Each belongs to the first organization that uses it.',
    ),
    BINDERY_SINGLE_COMPANY: flag
      .default(false)
      .describe(
        'Whether all organizations belong to one trusted company. Then admins add users, and enable SAML sign-in for them, without their consent, and e-mail domains need no verification.',
      ),
    BINDERY_API_MAX_CONNECTIONS: whole(1, 100_000, 2_000).describe(
      'Maximum open connections of an API process. At most three quarters of them can follow jobs, and four fifths of those the jobs of one organization.',
    ),
    BINDERY_RATE_LIMIT_POINTS: whole(0, 1_000_000_000, 0).describe(
      'Points per token and minute: a read costs 1, a write or a search 5, starting a job or asking a git server 20, reading jobs none. 0 disables the limit.',
    ),
    BINDERY_QUEUE_DASHBOARD_WRITABLE: flag
      .default(false)
      .describe('Whether `/admin/queues` allows retrying jobs.'),
  },
  logging: {
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('Least severe line that is logged.'),
  },
  jobs: {
    BINDERY_JOB_LEASE_MS: whole(500, 600_000, 10_000).describe(
      'How long a worker holds a job without renewing its lease, in milliseconds; it renews the lease three times in that time.',
    ),
    BINDERY_SWEEP_INTERVAL_MS: whole(100, 600_000, 5_000).describe(
      'How often the sweeper looks for jobs that were lost, in milliseconds.',
    ),
    BINDERY_PURGE_INTERVAL_MS: whole(100, 86_400_000, 60_000).describe(
      'How often the maintenance worker purges deleted spaces that can no longer be restored, in milliseconds.',
    ),
    BINDERY_SHUTDOWN_GRACE_MS: whole(0, 600_000, 25_000).describe(
      'How long a stopping worker waits for its running jobs, in milliseconds.',
    ),
    BINDERY_DISPATCH_TIMEOUT_MS: whole(50, 60_000, 400).describe(
      'How long a request waits for Redis to accept a job before it leaves that to the sweeper, in milliseconds.',
    ),
    BINDERY_QUEUE_WINDOW: whole(1, 100_000, 32).describe(
      'Maximum number of jobs per queue that wait in Redis; the others wait in MongoDB and follow in turns of the organizations.',
    ),
    BINDERY_JOB_RETENTION_DAYS: whole(1, 3_650, 30).describe(
      'How long finished jobs are kept, in days; resources keep showing their outcome.',
    ),
    BINDERY_WORKER_CONCURRENCY: whole(1, 100, 4).describe(
      'Maximum number of jobs of all kinds that a worker process runs at once.',
    ),
    BINDERY_KIND_CONCURRENCY: numbersByName().describe(
      'Maximum number of jobs of a kind that a worker process runs at once, such as `git-export=1,content-import=2`; other kinds can use the whole concurrency.',
    ),
    BINDERY_SLOTS_FOR_OTHERS: whole(0, 100, 1).describe(
      'With several organizations: number of slots, over all workers of a queue, that a single organization never occupies.',
    ),
    BINDERY_KIND_PER_ORGANIZATION: numbersByName().describe(
      'Maximum number of jobs of a kind that an organization runs at once, such as `git-import=2`.',
    ),
    BINDERY_WORKER_HEALTH_PORT: whole(0, 65535, 0).describe(
      'Port where a worker answers `/healthz` (the process lives) and `/readyz` (it can take jobs: 200, else 503); 0 is none.',
    ),
    BINDERY_METRICS_PORT: whole(0, 65535, 0).describe(
      'Port where each process serves metrics for Prometheus at `/metrics` (docs/metrics.md); 0 is none. With `npm start` the first process has this port, and each further one the next.',
    ),
  },
  storage: {
    BINDERY_REVISION_RETENTION_DAYS: whole(0, 36_500, 0).describe(
      'How long a revision is kept after a newer one, in days; revisions used by change requests, comments, sync points or jobs stay. 0 keeps the whole history.',
    ),
    BINDERY_STORAGE_QUOTA_MB: whole(0, 1_000_000_000, 51_200).describe(
      'How much one organization may store of uploads, files in its content, PDFs and specifications, in megabytes. 0 is no limit.',
    ),
    BINDERY_STORAGE_SWEEP_INTERVAL_MS: whole(100, 2_592_000_000, 21_600_000).describe(
      'How often the maintenance worker looks for unreferenced content, in milliseconds.',
    ),
    BINDERY_STORAGE_GRACE_HOURS: whole(4, 8_760, 24).describe(
      'How long content must have been unreferenced before it is removed, in hours; must exceed the time limit of every job.',
    ),
  },
  children: {
    BINDERY_CHILD_UID: whole(...childUidRange, standardChildUid).describe(
      'First of 8388608 unused user ids: if a worker runs as root, each child process that reads untrusted content gets one of them. 0 runs children as the user of the worker.',
    ),
  },
  git: {
    BINDERY_GIT_MEMORY_MB: whole(128, 65_536, 512).describe(
      'Heap of the process that reads one repository, in megabytes.',
    ),
    BINDERY_GIT_TIMEOUT_SECONDS: whole(1, 86_400, 300).describe(
      'Time limit for all transfers of a git job, in seconds.',
    ),
    BINDERY_GIT_MAX_PACK_MB: whole(1, 2_000, 250).describe('Maximum size of a fetched pack, in megabytes.'),
    BINDERY_GIT_MAX_PAGE_MB: whole(1, 100, 10).describe(
      'Maximum size of a Markdown file, in megabytes; a repository with a larger one is refused.',
    ),
    BINDERY_GIT_MAX_FILE_MB: whole(1, 1_000, 25).describe(
      'Maximum size of other files, in megabytes; larger ones are skipped and named in the job log.',
    ),
    BINDERY_GIT_MAX_ENTRIES: whole(1, 1_000_000, 50_000).describe(
      'Maximum number of files and folders of a repository.',
    ),
    BINDERY_GIT_MAX_TOTAL_MB: whole(1, 10_000, 512).describe(
      'Maximum size of all files of a repository together, in megabytes.',
    ),
  },
  pdf: {
    BINDERY_PDF_WAIT_SECONDS: whole(0, 60, 60).describe(
      'How long a request for a PDF waits for it, in seconds; must be less than the timeout of a proxy in front of the API.',
    ),
    BINDERY_PDF_WAITING_PER_USER: whole(1, 1_000, 10).describe(
      'How many PDFs that are not printed yet one user may have started; those that others started do not count.',
    ),
    BINDERY_PDF_RETENTION_HOURS: whole(2, 8_760, 24).describe(
      'How long a PDF is stored after it was last asked for, in hours.',
    ),
    CHROME_PATH: z
      .string()
      .optional()
      .describe(
        'Program of Chromium, which prints PDFs; best its headless shell. Default: that of the system, such as `/usr/bin/chromium-headless-shell`.',
      ),
    BINDERY_PDF_FONTS: z
      .string()
      .optional()
      .describe(
        'Fontconfig file that names the fonts of PDFs. `npm start` and the image bring one; without it, PDFs use the fonts of the machine.',
      ),
    BINDERY_PDF_MEMORY_MB: whole(256, 65_536, 700).describe(
      'Maximum memory of the Chromium that prints one PDF, in megabytes.',
    ),
    BINDERY_PDF_CHUNK_SECONDS: whole(1, 600, 15).describe(
      'Time limit for loading one part of a PDF in Chromium, and again for printing it, in seconds; a part is some ten pages.',
    ),
  },
  contentImport: {
    BINDERY_IMPORT_WAIT_SECONDS: whole(0, 60, 60).describe(
      'How long a request for a content import waits for it, in seconds; must be less than the timeout of a proxy in front of the API.',
    ),
    BINDERY_IMPORT_MEMORY_MB: whole(128, 65_536, 512).describe(
      'Heap of the process that reads one import of content, in megabytes.',
    ),
  },
  openapi: {
    BINDERY_OPENAPI_MEMORY_MB: whole(128, 65_536, 768).describe(
      'Heap of the process that reads one API specification, in megabytes.',
    ),
    BINDERY_OPENAPI_TIMEOUT_SECONDS: whole(1, 600, 30).describe(
      'Time limit for reading an API specification that has arrived, in seconds.',
    ),
    BINDERY_OPENAPI_FETCH_TIMEOUT_SECONDS: whole(1, 60, 30).describe(
      'Time limit for fetching one file of an API specification, in seconds; the files that it refers to have five times as long together, at most 150 seconds.',
    ),
    BINDERY_OPENAPI_REFRESH_MINUTES: whole(0, 43_200, 360).describe(
      'How often the URL of an API specification without an interval of its own is fetched again, in minutes; 0 is never.',
    ),
  },
  translation: {
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
  },
  outbound: {
    BINDERY_OUTBOUND_ALLOW: commaList.describe(
      'Private addresses that outbound requests may connect to, as `host:port` or CIDR, separated by commas. All other private addresses are refused.',
    ),
    BINDERY_OUTBOUND_CA: z
      .string()
      .optional()
      .describe('File with further certificate authorities (PEM) for git servers and other remotes.'),
  },
} as const;

const flat = z.object({
  ...configSchema.stores,
  ...configSchema.secrets,
  ...configSchema.api,
  ...configSchema.logging,
  ...configSchema.jobs,
  ...configSchema.storage,
  ...configSchema.children,
  ...configSchema.git,
  ...configSchema.pdf,
  ...configSchema.contentImport,
  ...configSchema.openapi,
  ...configSchema.translation,
  ...configSchema.outbound,
});

const MB = 1024 * 1024;

/** The configuration of a process, in groups, with units in the names of numbers. */
export type Config = ReturnType<typeof group>;

/**
 * Parses the environment once; every main.ts calls it before anything else.
 *
 * @throws Error that lists every problem, so that one start shows them all
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as unset: compose files pass `${NAME:-}`.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = flat.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) =>
        `  ${issue.path.join('.')}: ${given[String(issue.path[0])] === undefined ? 'is not set' : issue.message}`,
    );
    throw new Error(
      `The configuration is not valid:\n${lines.join('\n')}\nEvery variable is described in docs/configuration.md.`,
    );
  }
  return group(parsed.data);
}

function group(env: z.output<typeof flat>) {
  const publicUrl = (env.BINDERY_PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/$/, '');
  return {
    mongo: { uri: env.MONGODB_URI },
    redis: { url: env.REDIS_URL, prefix: env.BINDERY_QUEUE_PREFIX },
    secrets: { key: env.BINDERY_SECRET_KEY, previousKey: env.BINDERY_SECRET_KEY_PREVIOUS },
    visitorClaims: { key: env.BINDERY_VISITOR_CLAIMS_KEY },
    api: {
      host: env.HOST,
      port: env.PORT,
      publicUrl,
      appUrl: (env.BINDERY_APP_URL ?? publicUrl).replace(/\/$/, ''),
      trustProxy: env.BINDERY_TRUST_PROXY,
      provenHosts: env.BINDERY_PROVEN_HOSTS,
      isSingleCompany: env.BINDERY_SINGLE_COMPANY,
      maxConnections: env.BINDERY_API_MAX_CONNECTIONS,
      rateLimitPoints: env.BINDERY_RATE_LIMIT_POINTS,
      isQueueDashboardWritable: env.BINDERY_QUEUE_DASHBOARD_WRITABLE,
    },
    log: { level: env.LOG_LEVEL },
    jobs: {
      leaseMs: env.BINDERY_JOB_LEASE_MS,
      sweepIntervalMs: env.BINDERY_SWEEP_INTERVAL_MS,
      purgeIntervalMs: env.BINDERY_PURGE_INTERVAL_MS,
      shutdownGraceMs: env.BINDERY_SHUTDOWN_GRACE_MS,
      dispatchTimeoutMs: env.BINDERY_DISPATCH_TIMEOUT_MS,
      window: env.BINDERY_QUEUE_WINDOW,
      retentionDays: env.BINDERY_JOB_RETENTION_DAYS,
      concurrency: env.BINDERY_WORKER_CONCURRENCY,
      concurrencyOfKind: env.BINDERY_KIND_CONCURRENCY,
      perOrganization: env.BINDERY_KIND_PER_ORGANIZATION,
      slotsForOthers: env.BINDERY_SLOTS_FOR_OTHERS,
    },
    storage: {
      revisionRetentionDays: env.BINDERY_REVISION_RETENTION_DAYS,
      sweepIntervalMs: env.BINDERY_STORAGE_SWEEP_INTERVAL_MS,
      quotaBytes: env.BINDERY_STORAGE_QUOTA_MB * MB,
      graceMs: env.BINDERY_STORAGE_GRACE_HOURS * 3_600_000,
      pdfRetentionMs: env.BINDERY_PDF_RETENTION_HOURS * 3_600_000,
    },
    worker: { healthPort: env.BINDERY_WORKER_HEALTH_PORT },
    metrics: { port: env.BINDERY_METRICS_PORT, host: env.HOST },
    children: { firstUid: env.BINDERY_CHILD_UID },
    git: {
      memoryMb: env.BINDERY_GIT_MEMORY_MB,
      timeoutMs: env.BINDERY_GIT_TIMEOUT_SECONDS * 1000,
      maxPackBytes: env.BINDERY_GIT_MAX_PACK_MB * MB,
      maxPageBytes: env.BINDERY_GIT_MAX_PAGE_MB * MB,
      maxFileBytes: env.BINDERY_GIT_MAX_FILE_MB * MB,
      maxEntries: env.BINDERY_GIT_MAX_ENTRIES,
      maxTotalBytes: env.BINDERY_GIT_MAX_TOTAL_MB * MB,
    },
    pdf: {
      waitMs: env.BINDERY_PDF_WAIT_SECONDS * 1000,
      waitingPerUser: env.BINDERY_PDF_WAITING_PER_USER,
      chromium: env.CHROME_PATH,
      fontConfigFile: env.BINDERY_PDF_FONTS,
      memoryMb: env.BINDERY_PDF_MEMORY_MB,
      chunkDeadlineMs: env.BINDERY_PDF_CHUNK_SECONDS * 1000,
    },
    contentImport: { waitMs: env.BINDERY_IMPORT_WAIT_SECONDS * 1000, memoryMb: env.BINDERY_IMPORT_MEMORY_MB },
    openapi: {
      memoryMb: env.BINDERY_OPENAPI_MEMORY_MB,
      timeoutMs: env.BINDERY_OPENAPI_TIMEOUT_SECONDS * 1000,
      fetchTimeoutMs: env.BINDERY_OPENAPI_FETCH_TIMEOUT_SECONDS * 1000,
      refreshMinutes: env.BINDERY_OPENAPI_REFRESH_MINUTES,
    },
    translation: {
      engines: env.BINDERY_TRANSLATION_ENGINES,
      apertiumRoot: env.BINDERY_APERTIUM_ROOT,
      delaySeconds: env.BINDERY_TRANSLATION_DELAY_SECONDS,
      apy: { url: env.BINDERY_APY_URL },
      deepl: { url: env.BINDERY_DEEPL_URL, key: env.BINDERY_DEEPL_KEY },
      libretranslate: { url: env.BINDERY_LIBRETRANSLATE_URL, key: env.BINDERY_LIBRETRANSLATE_KEY },
      openai: {
        url: env.BINDERY_OPENAI_URL,
        key: env.BINDERY_OPENAI_KEY,
        model: env.BINDERY_OPENAI_MODEL,
      },
      charactersPerDay: env.BINDERY_TRANSLATION_CHARACTERS_PER_DAY,
      callsAtOnce: env.BINDERY_TRANSLATION_CALLS,
      prices: env.BINDERY_TRANSLATION_PRICES,
      concurrency: env.BINDERY_TRANSLATION_CONCURRENCY,
    },
    outbound: {
      allow: env.BINDERY_OUTBOUND_ALLOW,
      caFile: env.BINDERY_OUTBOUND_CA,
      refused: ownAddresses(env.MONGODB_URI, env.REDIS_URL, publicUrl),
    },
  };
}

/**
 * Returns `host:port` of our own services, refused to outbound requests even when listed as allowed. No
 * outbound request reaches a Unix socket.
 */
function ownAddresses(mongodbUri: string, redisUrl: string, publicUrl: string): string[] {
  const mongoHosts = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(mongodbUri)?.[1]?.split(',') ?? [];
  const redis = new URL(redisUrl);
  const api = new URL(publicUrl);
  return [
    ...mongoHosts
      .filter((host) => !host.endsWith('.sock'))
      .map((host) => (/:\d+$/.test(host) ? host : `${host}:27017`)),
    ...(redis.protocol === 'unix:' ? [] : [`${redis.hostname}:${redis.port || 6379}`]),
    // Port 0 is replaced by a free port, still unknown here; the launcher passes the real one.
    ...(api.port === '0' ? [] : [`${api.hostname}:${api.port || (api.protocol === 'https:' ? 443 : 80)}`]),
  ];
}

/** Generates a secret key in the form of BINDERY_SECRET_KEY. */
export function generateSecretKey(): string {
  return randomBytes(32).toString('hex');
}
