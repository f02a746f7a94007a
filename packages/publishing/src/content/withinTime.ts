import { ApiError } from '@bindery/contract';

const maxReadMs = 20_000;

/**
 * Runs a read of many documents with a time limit. The documents read so far stay cached, so that the next
 * request gets further.
 *
 * @throws unavailable when the limit is exceeded
 */
export async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(maxReadMs);
  try {
    return await work(signal);
  } catch (error) {
    if (error !== signal.reason || !signal.aborted) throw error;
    throw new ApiError('unavailable', 'The links of this large content are being read for the first time.', {
      action: 'Try again in a few seconds; it continues from there.',
      headers: { 'Retry-After': '2' },
    });
  }
}
