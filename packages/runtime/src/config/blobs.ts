import { z } from 'zod';
import { flag } from './parsers.ts';

const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .refine((url) => !url.includes('@'), 'must contain no login')
  .transform((url) => url.replace(/\/$/, ''));

export const blobs = {
  BINDERY_BLOB_STORE: z
    .enum(['gridfs', 's3'], 'must be gridfs or s3')
    .default('gridfs')
    .describe(
      'Where the bytes of new files go: `gridfs` is MongoDB, `s3` the bucket. Files in the other one stay readable (docs/storage.md).',
    ),
  BINDERY_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .describe('Bucket of an S3 server, which already exists.'),
  BINDERY_S3_ENDPOINT: webUrl
    .optional()
    .describe('URL of the S3 server; AWS by default. It may be on an internal network.'),
  BINDERY_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be lower case letters, digits and hyphens')
    .default('us-east-1')
    .describe('Region of the bucket.'),
  BINDERY_S3_PREFIX: z
    .string()
    .regex(/^(?:[\w.-]+\/)+$/, 'must be folders that end in `/`, such as `bindery/`')
    .default('')
    .describe('Begins the name of every object, for a bucket with other content.'),
  BINDERY_S3_PATH_STYLE: flag
    .default(false)
    .describe('`true` for servers that take the bucket in the path of a URL, as most but AWS do.'),
  BINDERY_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Key id for the bucket. Without it, the AWS SDK looks for credentials: variables such as `AWS_PROFILE`, files, the role of the machine.',
    ),
  BINDERY_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of that key.'),
  BINDERY_S3_PUBLIC_ENDPOINT: webUrl
    .optional()
    .describe(
      'URL under which readers reach the S3 server. If set, large downloads are redirected to signed URLs there; its host must serve nothing but files (docs/storage.md). By default the API sends all files itself.',
    ),
};

type BlobVariables = z.output<z.ZodObject<typeof blobs>>;

/** Adds the problems that the variables have only together, each to the variable to change. */
export function checkBucket(env: BlobVariables, context: z.RefinementCtx): void {
  const refuse = (variable: keyof BlobVariables) =>
    context.addIssue({ code: 'custom', path: [variable], message: 'is not set' });
  const id = env.BINDERY_S3_ACCESS_KEY_ID;
  const secret = env.BINDERY_S3_SECRET_ACCESS_KEY;
  if (env.BINDERY_BLOB_STORE === 's3' && env.BINDERY_S3_BUCKET === undefined) refuse('BINDERY_S3_BUCKET');
  if (id !== undefined && secret === undefined) refuse('BINDERY_S3_SECRET_ACCESS_KEY');
  if (id === undefined && secret !== undefined) refuse('BINDERY_S3_ACCESS_KEY_ID');
}

/** Files of strangers are shown on that host: no cookie of the platform may belong to it. */
export function checkPublicEndpoint(
  env: BlobVariables & { BINDERY_PUBLIC_URL?: string | undefined; BINDERY_APP_URL?: string | undefined },
  context: z.RefinementCtx,
): void {
  const { BINDERY_S3_PUBLIC_ENDPOINT: endpoint, BINDERY_PUBLIC_URL, BINDERY_APP_URL } = env;
  const hostOf = (url: string | undefined) => (url === undefined ? undefined : URL.parse(url)?.hostname);
  if (endpoint !== undefined && [BINDERY_PUBLIC_URL, BINDERY_APP_URL].map(hostOf).includes(hostOf(endpoint)))
    context.addIssue({
      code: 'custom',
      path: ['BINDERY_S3_PUBLIC_ENDPOINT'],
      message: 'must have another host than the API and the app',
    });
}

/** The bucket as configured; undefined without one. */
export function bucketOf(env: BlobVariables) {
  if (env.BINDERY_S3_BUCKET === undefined) return undefined;
  const id = env.BINDERY_S3_ACCESS_KEY_ID;
  const secret = env.BINDERY_S3_SECRET_ACCESS_KEY;
  return {
    bucket: env.BINDERY_S3_BUCKET,
    endpoint: env.BINDERY_S3_ENDPOINT,
    region: env.BINDERY_S3_REGION,
    prefix: env.BINDERY_S3_PREFIX,
    isPathStyle: env.BINDERY_S3_PATH_STYLE,
    publicEndpoint: env.BINDERY_S3_PUBLIC_ENDPOINT,
    keys: id !== undefined && secret !== undefined ? { id, secret } : undefined,
  };
}
