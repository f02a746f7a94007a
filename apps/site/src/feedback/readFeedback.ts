import type { IncomingMessage } from 'node:http';
import { feedbackRatings, type FeedbackRating } from '@bindery/contract';
import { isOwnOrigin, networkOf, readRequestBody, slidingWindow } from '@bindery/runtime';

/** The form of a page as a reader sent it. */
export type GivenFeedback = { page: string; rating: FeedbackRating };

/** Why a form is not taken, and when to try again. */
export type RefusedForm = { status: 400 | 403 | 413 | 415 | 429; message: string; waitMs?: number };

export type ReadFeedback = (
  request: IncomingMessage,
  from: { url: URL; address: string },
) => Promise<GivenFeedback | { refused: RefusedForm }>;

const maxBytes = 1_024;
/** More than a reader gives, and few enough that one client changes little. */
const limit = { limit: 20, windowMs: 60_000, maxKeys: 10_000 };

/** Makes the reader of forms. It admits 20 a minute from the network of a client. */
export function createFeedbackReader(): ReadFeedback {
  const waitFor = slidingWindow(limit);
  return async (request, { url, address }) => {
    const { headers } = request;
    if (!isOwnOrigin({ ...headers, host: url.host }))
      return { refused: { status: 403, message: 'Another site sent this form: answer on the page itself.' } };
    const waitMs = waitFor(networkOf(address));
    if (waitMs > 0)
      return { refused: { status: 429, message: 'Too many answers: try again in a minute.', waitMs } };
    if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
      return { refused: { status: 415, message: 'Send the form as application/x-www-form-urlencoded.' } };
    const body = await readRequestBody(request, { maxBytes });
    if (body === 'tooLarge') return { refused: { status: 413, message: `Send at most ${maxBytes} bytes.` } };
    if (typeof body === 'string')
      return { refused: { status: 400, message: 'The form did not arrive as a whole.' } };
    const fields = new URLSearchParams(body.toString());
    const page = fields.get('page');
    const rating = feedbackRatings.find((one) => one === fields.get('rating'));
    if (page === null || !rating)
      return {
        refused: { status: 400, message: `Name a page, and a rating of ${feedbackRatings.join(', ')}.` },
      };
    return { page, rating };
  };
}
