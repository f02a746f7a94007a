import { ApiError } from '@bindery/contract';

/** Returns undefined instead of throwing not_found, for callers with an error of their own. */
export async function orUndefined<T>(loading: Promise<T>): Promise<T | undefined> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
