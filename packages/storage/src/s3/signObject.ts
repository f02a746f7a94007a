import type { S3Settings } from './settings.ts';
import { load } from './objectClient.ts';

/** The headers of the answer behind a signed URL. */
export type SignedHeaders = { contentType: string; disposition: string; cacheControl: string };

/** A reader follows the redirect at once. */
const validSeconds = 300;

/**
 * Creates the function that signs URLs of objects, for five minutes and GET only; undefined when readers do
 * not reach the server.
 */
export function createSigner(settings: S3Settings) {
  const { publicEndpoint } = settings;
  if (publicEndpoint === undefined) return undefined;
  let loaded: ReturnType<typeof load> | undefined;
  return async (object: string, headers: SignedHeaders): Promise<string> => {
    const { s3, GetObjectCommand } = await (loaded ??= load(settings, publicEndpoint));
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const get = {
      Bucket: settings.bucket,
      Key: settings.prefix + object,
      ResponseContentType: headers.contentType,
      ResponseContentDisposition: headers.disposition,
      ResponseCacheControl: headers.cacheControl,
    };
    return getSignedUrl(s3, new GetObjectCommand(get), { expiresIn: validSeconds });
  };
}
