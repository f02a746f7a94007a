import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { problemOf } from './problems.ts';
import type { S3Settings } from './settings.ts';

/** The requests that the store makes. Names are those of objects, without the prefix. */
export type ObjectClient = ReturnType<typeof createObjectClient>;

export type Part = { PartNumber: number; ETag?: string | undefined; ChecksumSHA256?: string | undefined };

/**
 * A connection that is not opened by then, or stays silent for that long, has failed. The SDK starts to count
 * the silence three seconds after it sent the request.
 */
const connectMs = 3_000;
const silentMs = 7_000;
/** How often a request is sent before it has failed. */
const attempts = 3;

/**
 * Creates the access to a bucket. The SDK is loaded with the first request: it takes a tenth of a second and
 * 36 MB, which a process without S3 does without.
 *
 * Every error is an ObjectStoreProblem or ObjectStoreUnavailable, except those of an aborted signal.
 */
export function createObjectClient(settings: S3Settings) {
  const { bucket: Bucket, prefix } = settings;
  let loaded: ReturnType<typeof load> | undefined;
  const sdk = async () => (loaded ??= load(settings, settings.endpoint));

  const ask = async <Result>(
    request: string,
    work: (loaded: Awaited<ReturnType<typeof load>>) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    try {
      return await work(await sdk());
    } catch (error) {
      signal?.throwIfAborted();
      throw problemOf(error, request);
    }
  };

  return {
    async put(name: string, Body: Buffer, abortSignal?: AbortSignal): Promise<void> {
      await ask(
        `PutObject of ${name}`,
        async ({ s3, PutObjectCommand }) => {
          const put = { Bucket, Key: prefix + name, Body, ChecksumAlgorithm: 'SHA256' } as const;
          await s3.send(new PutObjectCommand(put), { abortSignal });
        },
        abortSignal,
      );
    },
    /** @returns the id of the upload */
    beginParts: async (name: string, abortSignal: AbortSignal): Promise<string> =>
      ask(
        `CreateMultipartUpload of ${name}`,
        async ({ s3, CreateMultipartUploadCommand }) => {
          const upload = { Bucket, Key: prefix + name, ChecksumAlgorithm: 'SHA256' } as const;
          return (await s3.send(new CreateMultipartUploadCommand(upload), { abortSignal })).UploadId!;
        },
        abortSignal,
      ),
    putPart: async (
      { name, UploadId, PartNumber }: { name: string; UploadId: string; PartNumber: number },
      Body: Buffer,
      abortSignal: AbortSignal,
    ): Promise<Part> =>
      ask(
        `UploadPart of ${name}`,
        async ({ s3, UploadPartCommand }) => {
          const part = { Bucket, Key: prefix + name, UploadId, PartNumber, Body } as const;
          const { ETag, ChecksumSHA256 } = await s3.send(
            new UploadPartCommand({ ...part, ChecksumAlgorithm: 'SHA256' }),
            { abortSignal },
          );
          return { PartNumber, ETag, ChecksumSHA256 };
        },
        abortSignal,
      ),
    async endParts(
      name: string,
      { UploadId, Parts }: { UploadId: string; Parts: Part[] },
      abortSignal: AbortSignal,
    ): Promise<void> {
      await ask(
        `CompleteMultipartUpload of ${name}`,
        async ({ s3, CompleteMultipartUploadCommand }) => {
          const complete = { Bucket, Key: prefix + name, UploadId, MultipartUpload: { Parts } };
          await s3.send(new CompleteMultipartUploadCommand(complete), { abortSignal });
        },
        abortSignal,
      );
    },
    async abortParts(name: string, UploadId: string): Promise<void> {
      await ask(`AbortMultipartUpload of ${name}`, async ({ s3, AbortMultipartUploadCommand }) => {
        const upload = { Bucket, Key: prefix + name, UploadId };
        await s3.send(new AbortMultipartUploadCommand(upload)).catch((error: Error) => {
          // It was completed or aborted meanwhile.
          if (error.name !== 'NoSuchUpload') throw error;
        });
      });
    },
    /** Opens an object from `start` to before `end`. */
    open: async (name: string, { start, end }: { start: number; end: number }): Promise<Readable> =>
      ask(`GetObject of ${name}`, async ({ s3, GetObjectCommand }) => {
        const get = { Bucket, Key: prefix + name, Range: `bytes=${start}-${end - 1}` };
        return (await s3.send(new GetObjectCommand(get))).Body as Readable;
      }),
    async remove(name: string): Promise<void> {
      await ask(`DeleteObject of ${name}`, async ({ s3, DeleteObjectCommand }) => {
        await s3.send(new DeleteObjectCommand({ Bucket, Key: prefix + name }));
      });
    },
    /** Lists up to `limit` names after `after`, in order; empty after the last one. */
    list: async (after: string, limit = 1_000): Promise<string[]> =>
      ask('ListObjectsV2', async ({ s3, ListObjectsV2Command }) => {
        const list = { Bucket, Prefix: prefix, StartAfter: prefix + after, MaxKeys: limit };
        const { Contents = [] } = await s3.send(new ListObjectsV2Command(list));
        return Contents.map(({ Key = '' }) => Key.slice(prefix.length));
      }),
    /** Lists the uploads in parts that have not ended. */
    async *listParts(): AsyncIterable<{ name: string; UploadId: string }> {
      for (let marker: { KeyMarker?: string; UploadIdMarker?: string } = {}; ;) {
        const page = await ask('ListMultipartUploads', async ({ s3, ListMultipartUploadsCommand }) =>
          s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...marker })),
        );
        for (const { Key = '', UploadId = '' } of page.Uploads ?? [])
          yield { name: Key.slice(prefix.length), UploadId };
        if (!page.IsTruncated || !page.NextKeyMarker) return;
        marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker ?? '' };
      }
    },
    /** Closes the connections. */
    async close(): Promise<void> {
      (await loaded)?.s3.destroy();
    },
  };
}

/** Loads the SDK and creates its client for an endpoint. */
export async function load({ region, isPathStyle, keys }: S3Settings, endpoint: string | undefined) {
  const { S3Client: Client, ...commands } = await import('@aws-sdk/client-s3');
  const s3: S3Client = new Client({
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: attempts,
    // Ours are compared with the bytes that arrive, also where the server returns none.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silentMs },
    ...(endpoint !== undefined && { endpoint }),
    ...(keys && { credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret } }),
  });
  return { s3, ...commands };
}
