import { invalid, JobError } from '@bindery/contract';
import { outboundLimits, throwForStatus, type Outbound } from '@bindery/outbound';

const MiB = 1024 * 1024;
/** Limits of one file, which a request waits for. */
const limits = { ...outboundLimits.content, totalMs: 30_000, maxBytes: 10 * MiB, maxDecodedBytes: 10 * MiB };
/** Limit of all files of one request together. */
const maxBytesTogether = 50 * MiB;

export type Fetcher = {
  /** @throws invalid_request for a URL that is forbidden as written */
  check(url: string, path: string): void;
  /**
   * @throws invalid_request when the fetch fails; a refused address gets the same message, whether or not a
   *   server listens there
   */
  fetch(url: string, path: string): Promise<{ bytes: Buffer; servedType: string | undefined }>;
  /** Aborts running fetches. */
  stop(): void;
  isStopped(): boolean;
};

/** Fetches the files of one request; the limits of time and size count for all of them together. */
export function createFetcher(outbound: Outbound): Fetcher {
  const deadline = AbortSignal.timeout(limits.totalMs);
  const stopped = new AbortController();
  const signal = AbortSignal.any([deadline, stopped.signal]);
  let bytesTogether = 0;

  const read = async (text: string) => {
    const response = await outbound.request({
      url: outbound.checkUrl(text),
      limits,
      redirects: 'follow',
      signal,
    });
    throwForStatus(response);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) {
      bytesTogether += chunk.length;
      if (bytesTogether > maxBytesTogether)
        throw new JobError(
          'too_large',
          `The files of the request are larger than ${maxBytesTogether / MiB} MB together.`,
        );
      chunks.push(chunk);
    }
    return { bytes: Buffer.concat(chunks), servedType: response.headers['content-type'] };
  };

  return {
    check: (url, path) => {
      try {
        outbound.checkUrl(url);
      } catch (error) {
        throw explained(error, path);
      }
    },
    fetch: async (url, path) => {
      try {
        return await read(url);
      } catch (error) {
        if (error === deadline.reason)
          throw invalid(path, 'could not be fetched: the files of the request take too long.');
        throw explained(error, path);
      }
    },
    stop: () => stopped.abort(),
    isStopped: () => stopped.signal.aborted,
  };
}

function explained(error: unknown, path: string): unknown {
  return error instanceof JobError ? invalid(path, `could not be fetched: ${error.message}`) : error;
}
