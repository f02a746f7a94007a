import { ApiError } from '@bindery/contract';

const maxReadMs = 20_000;

/**
 * Ends what reads documents that nobody has read before, when there are too many for one answer. What was
 * read by then is kept, so that the next request comes further.
 *
 * @throws unavailable
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
