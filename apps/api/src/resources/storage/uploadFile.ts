import { pipeline, Transform } from 'node:stream';
import { ApiError } from '@bindery/contract';
import { blobKey } from '@bindery/storage';
import type { RequestHandler } from 'express';
import type { Platform } from '../../platform.ts';
import { isUploadValid, type SignedUpload } from './uploadKey.ts';

/**
 * PUT /uploads/:organization/:key?signature=...: stores the bytes of a file, once. Not an operation of the
 * API: the signed URL is the permission.
 */
export function uploadFile({ config, blobs }: Pick<Platform, 'config' | 'blobs'>): RequestHandler {
  return async (request, response) => {
    if (request.method !== 'PUT')
      throw new ApiError('method_not_allowed', `Uploads support PUT, not ${request.method}.`, {
        headers: { Allow: 'PUT' },
      });
    const { organization, key } = request.params as Pick<SignedUpload, 'organization' | 'key'>;
    const { size, until, signature } = request.query;
    const upload: SignedUpload = { organization, key, sizeBytes: Number(size), until: Number(until) };
    if (typeof signature !== 'string' || !isUploadValid(config.secrets, upload, signature))
      throw noLongerOpen();
    const bytes = atMost(upload.sizeBytes);
    // Errors reach the reader through the stream itself, also when the client disconnects.
    pipeline(request, bytes, () => {});
    const isNew = await blobs.put(blobKey(organization, key), bytes);
    if (!isNew)
      throw new ApiError('conflict', 'The file was uploaded already.', {
        action: 'Request another URL to upload another file.',
      });
    response.status(204).end();
  };
}

function atMost(sizeBytes: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > sizeBytes)
        done(new ApiError('payload_too_large', `The file is larger than the announced ${sizeBytes} bytes.`));
      else done(null, chunk);
    },
    flush(done) {
      if (length < sizeBytes)
        done(new ApiError('invalid_request', `The file is smaller than the announced ${sizeBytes} bytes.`));
      else done();
    },
  });
}

/** One error for a wrong signature and for an expired one. */
function noLongerOpen(): ApiError {
  return new ApiError('not_found', 'Nothing can be uploaded at this URL.', {
    action: 'Request a new one from the API: this one may have expired.',
  });
}
