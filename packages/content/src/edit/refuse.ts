import { invalid, type ApiError } from '@bindery/contract';

/**
 * Refuses one change, and with it the whole batch; names the location in the request, with a message `must
 * ...`.
 */
export function refused(change: number, field: string, message: string): ApiError {
  return invalid(`body.changes[${change}]${field === '' ? '' : `.${field}`}`, message);
}
