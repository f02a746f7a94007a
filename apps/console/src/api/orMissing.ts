import { ApiFailure } from './apiFailure.ts';

/** The answer of the API; undefined where it answers with 404. */
export async function orMissing<Body>(answer: Promise<Body>): Promise<Body | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  });
}
