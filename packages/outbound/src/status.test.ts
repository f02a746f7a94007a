import { describe, expect, it } from 'vitest';
import type { OutboundResponse } from './outbound.ts';
import { retryAfterMs, throwForStatus } from './status.ts';

function judge(status: number, headers: Record<string, string> = {}) {
  let isDiscarded = false;
  const discard = async () => {
    isDiscarded = true;
  };
  const response: OutboundResponse = {
    status,
    headers,
    url: new URL('https://a.test/'),
    body: (async function* () {})(),
    discard,
  };
  try {
    throwForStatus(response);
  } catch (error) {
    return { ...(error as { code: string; class: string; retryAfterMs?: number }), isDiscarded };
  }
  return { isDiscarded };
}

describe('the status of an answer', () => {
  it.each([200, 201, 204])('%i is a success', (status) =>
    expect(judge(status)).toEqual({ isDiscarded: false }),
  );

  it.each([
    [302, 'redirect', 'invalid'],
    [304, 'redirect', 'invalid'],
    [400, 'http_status', 'invalid'],
    [401, 'auth', 'auth'],
    [403, 'auth', 'auth'],
    [404, 'not_found', 'not_found'],
    [408, 'http_status', 'transient'],
    [410, 'not_found', 'not_found'],
    [418, 'http_status', 'invalid'],
    [429, 'throttled', 'throttled'],
    [500, 'http_status', 'transient'],
    [503, 'http_status', 'transient'],
  ])('%i is %s (%s), and its body is dropped', (status, code, errorClass) => {
    expect(judge(status)).toMatchObject({ code, class: errorClass, isDiscarded: true });
  });

  it('passes on the time to wait', () => {
    expect(judge(429, { 'retry-after': '5' })).toMatchObject({ code: 'throttled', retryAfterMs: 5_000 });
    expect(judge(503, { 'retry-after': '7' })).toMatchObject({ code: 'throttled', retryAfterMs: 7_000 });
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['99999999999999999999', 3_600_000],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 3_600_000],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['Thu, nonsense', undefined],
  ])('%j is %s ms', (text, expected) => expect(retryAfterMs({ 'retry-after': text }, now)).toBe(expected));

  it('may be absent', () => expect(retryAfterMs({}, now)).toBeUndefined());
});
