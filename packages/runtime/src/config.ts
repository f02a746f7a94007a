import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { api, logging, outbound } from './config/api.ts';
import { blobs, bucketOf, checkBucket, checkPublicEndpoint } from './config/blobs.ts';
import { consoleApp } from './config/console.ts';
import { contentImport, git, openapi, pdf } from './config/content.ts';
import { hostnames } from './config/hostnames.ts';
import { children, jobs } from './config/jobs.ts';
import { checkOpenId, openId, openIdOf } from './config/openId.ts';
import { parseSentinelUrl } from './config/sentinelUrl.ts';
import { secrets, storage, stores } from './config/stores.ts';
import { tracing } from './config/tracing.ts';
import { translation } from './config/translation.ts';
import type { SecretKeys } from './secrets.ts';

export type { EngineName } from './config/translation.ts';

/**
 * All variables that the platform's processes read; the description of each is also its row in
 * docs/configuration.md. The groups only help the reader: the environment itself is flat.
 */
export const configSchema = {
  stores,
  secrets,
  api,
  hostnames,
  consoleApp,
  openId,
  logging,
  tracing,
  jobs,
  storage,
  blobs,
  children,
  git,
  pdf,
  contentImport,
  openapi,
  translation,
  outbound,
} as const;

const flat = z
  .object({
    ...configSchema.stores,
    ...configSchema.secrets,
    ...configSchema.api,
    ...configSchema.hostnames,
    ...configSchema.consoleApp,
    ...configSchema.openId,
    ...configSchema.logging,
    ...configSchema.tracing,
    ...configSchema.jobs,
    ...configSchema.storage,
    ...configSchema.blobs,
    ...configSchema.children,
    ...configSchema.git,
    ...configSchema.pdf,
    ...configSchema.contentImport,
    ...configSchema.openapi,
    ...configSchema.translation,
    ...configSchema.outbound,
  })
  .superRefine(checkBucket)
  .superRefine(checkPublicEndpoint)
  .superRefine(checkOpenId);

const MB = 1024 * 1024;

/** The configuration of a process, in groups, with units in the names of numbers. */
export type Config = ReturnType<typeof group>;

/**
 * Parses the environment once; every main.ts calls it before anything else.
 *
 * @throws Error that lists every problem, so that one start shows them all
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return group(parse(flat, environment));
}

/** Parses only where the bytes of files are, for a command that needs no more. @throws as `loadConfig` */
export function loadBlobConfig(environment: NodeJS.ProcessEnv): Pick<Config['storage'], 'blobStore' | 's3'> {
  const env = parse(z.object(configSchema.blobs).superRefine(checkBucket), environment);
  return { blobStore: env.BINDERY_BLOB_STORE, s3: bucketOf(env) };
}

/** Parses only the secret keys, for a command that needs no more. @throws as `loadConfig` */
export function loadSecretKeys(environment: NodeJS.ProcessEnv): SecretKeys {
  const { BINDERY_SECRET_KEY, BINDERY_SECRET_KEY_PREVIOUS } = configSchema.secrets;
  const env = parse(z.object({ BINDERY_SECRET_KEY, BINDERY_SECRET_KEY_PREVIOUS }), environment);
  return { key: env.BINDERY_SECRET_KEY, previousKey: env.BINDERY_SECRET_KEY_PREVIOUS };
}

function parse<Schema extends z.ZodType>(schema: Schema, environment: NodeJS.ProcessEnv): z.output<Schema> {
  // An empty variable counts as unset: compose files pass `${NAME:-}`.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    (issue) =>
      `  ${issue.path.join('.')}: ${given[String(issue.path[0])] === undefined ? 'is not set' : issue.message}`,
  );
  throw new Error(
    `The configuration is not valid:\n${lines.join('\n')}\nEvery variable is described in docs/configuration.md.`,
  );
}

function group(env: z.output<typeof flat>) {
  const publicUrl = (env.BINDERY_PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/$/, '');
  const appUrl = (env.BINDERY_APP_URL ?? publicUrl).replace(/\/$/, '');
  const sitesUrl = (env.BINDERY_SITES_URL ?? appUrl).replace(/\/$/, '');
  return {
    mongo: { uri: env.MONGODB_URI },
    redis: { url: env.REDIS_URL, prefix: env.BINDERY_QUEUE_PREFIX },
    secrets: { key: env.BINDERY_SECRET_KEY, previousKey: env.BINDERY_SECRET_KEY_PREVIOUS },
    visitorClaims: { key: env.BINDERY_VISITOR_CLAIMS_KEY },
    api: {
      host: env.HOST,
      port: env.PORT,
      publicUrl,
      appUrl,
      trustProxy: env.BINDERY_TRUST_PROXY,
      provenHosts: env.BINDERY_PROVEN_HOSTS,
      isSingleCompany: env.BINDERY_SINGLE_COMPANY,
      maxConnections: env.BINDERY_API_MAX_CONNECTIONS,
      rateLimitPoints: env.BINDERY_RATE_LIMIT_POINTS,
      isQueueDashboardWritable: env.BINDERY_QUEUE_DASHBOARD_WRITABLE,
    },
    sites: { url: sitesUrl, port: env.BINDERY_SITE_PORT, fonts: env.BINDERY_SITE_FONTS },
    hostnames: {
      cname: env.BINDERY_SITE_CNAME ?? new URL(sitesUrl).hostname,
      dnsServers: env.BINDERY_DNS_SERVERS,
      caaIssuers: env.BINDERY_CAA_ISSUERS,
      tlsPort: env.BINDERY_SITE_TLS_PORT,
      acme: { directoryUrl: env.BINDERY_ACME_DIRECTORY_URL, email: env.BINDERY_ACME_EMAIL },
    },
    console: {
      port: env.BINDERY_CONSOLE_PORT,
      url: (env.BINDERY_CONSOLE_URL ?? `http://${env.HOST}:${env.BINDERY_CONSOLE_PORT}`).replace(/\/$/, ''),
      apiUrl: (env.BINDERY_API_URL ?? publicUrl).replace(/\/$/, ''),
    },
    openId: openIdOf(env),
    log: { level: env.LOG_LEVEL },
    tracing: {
      endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: env.OTEL_EXPORTER_OTLP_HEADERS,
      ratio: env.OTEL_TRACES_SAMPLER_ARG,
      viewerUrl: env.BINDERY_TRACE_URL,
    },
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
      blobStore: env.BINDERY_BLOB_STORE,
      s3: bucketOf(env),
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
      refused: [
        ...ownAddresses(env.MONGODB_URI, env.REDIS_URL, publicUrl),
        ...(env.BINDERY_S3_ENDPOINT === undefined ? [] : [addressOf(new URL(env.BINDERY_S3_ENDPOINT))]),
      ],
    },
  };
}

/**
 * Returns `host:port` of our own services, refused to outbound requests even when listed as allowed. No
 * outbound request reaches a Unix socket.
 */
function ownAddresses(mongodbUri: string, redisUrl: string, publicUrl: string): string[] {
  const mongoHosts = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(mongodbUri)?.[1]?.split(',') ?? [];
  const api = new URL(publicUrl);
  return [
    ...mongoHosts
      .filter((host) => !host.endsWith('.sock'))
      .map((host) => (/:\d+$/.test(host) ? host : `${host}:27017`)),
    ...redisAddresses(redisUrl),
    // Port 0 is replaced by a free port, still unknown here; the launcher passes the real one.
    ...(api.port === '0' ? [] : [addressOf(api)]),
  ];
}

/** With Sentinel only the sentinels are known: they name the servers later. */
function redisAddresses(url: string): string[] {
  const sentinel = parseSentinelUrl(url);
  if (sentinel)
    return sentinel.sentinels.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  const { protocol, hostname, port } = new URL(url);
  return protocol === 'unix:' ? [] : [`${hostname}:${port || 6379}`];
}

function addressOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Generates a secret key in the form of BINDERY_SECRET_KEY. */
export function generateSecretKey(): string {
  return randomBytes(32).toString('hex');
}
