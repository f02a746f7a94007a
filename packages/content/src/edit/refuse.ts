import { invalid, type ApiError } from '@bindery/contract';

/** The refusal of one change of a batch, and with it of all: where in the request, and `must ...`. */
export function refused(change: number, field: string, message: string): ApiError {
  return invalid(`body.changes[${change}]${field === '' ? '' : `.${field}`}`, message);
}
