import { describe, expect, it } from 'vitest';
import { isOutage } from './outage.ts';

/** An error as the driver throws it. */
const named = (name: string, fields: object = {}) => Object.assign(new Error('closed'), { name, ...fields });

describe('an outage', () => {
  it.each([
    ['a connection that was closed', named('MongoNetworkError')],
    [
      'the connection of a bulk write',
      named('MongoBulkWriteError', { errorResponse: named('MongoNetworkError') }),
    ],
    ['a cause', new Error('a write failed', { cause: named('MongoServerSelectionError') })],
    ['an election', named('MongoServerError', { code: 11602 })],
  ])('is %s', (_what, error) => {
    expect(isOutage(error)).toBe(true);
  });

  it.each([
    ['a duplicate', named('MongoServerError', { code: 11000 })],
    [
      'a bulk write with duplicates',
      named('MongoBulkWriteError', { code: 11000, errorResponse: { code: 11000 } }),
    ],
    ['a fault of the program', new TypeError('undefined is not a function')],
    ['no error', undefined],
  ])('is not %s', (_what, error) => {
    expect(isOutage(error)).toBe(false);
  });
});
