import { ApiError } from '@bindery/contract';

const maxReadMs = 20_000;

/**
 * Ends what reads documents that nobody has read before, when there are too many for one answer. What was read by then is kept, so that the next
 * request comes further.
 *
 * @throws unavailable
 */
export async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(maxReadMs);
  try {
    return await work(signal);
  } catch (error) {
    if (error !== signal.reason || !signal.aborted) throw error;
    throw new ApiError('unavailable', 'The content is large and its links are being read for the first time.', {
      action: 'Ask again in some seconds: it goes on from there.',
      headers: { 'Retry-After': '2' },
    });
  }
}
