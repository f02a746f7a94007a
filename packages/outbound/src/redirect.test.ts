import { describe, expect, it } from 'vitest';
import { type Hop, nextHop, type RedirectRule } from './redirect.ts';

const secrets = {
  authorization: 'Basic abc',
  cookie: 'a=b',
  'x-api-key': 'k',
  accept: '*/*',
  'user-agent': 'bindery',
};

function follow(
  from: string,
  location: string | undefined,
  options: { rule?: RedirectRule; status?: number } & Partial<Hop> = {},
): Hop | undefined {
  const { rule = 'follow', status = 302, ...hop } = options;
  return nextHop({ url: new URL(from), method: 'GET', headers: secrets, ...hop }, { status, location }, rule);
}

function target(from: string, location: string, rule: RedirectRule): string | undefined {
  try {
    return follow(from, location, { rule })?.url.href;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a redirect', () => {
  it.each([
    ['http://a.test/x', '/y', 'http://a.test/y'],
    ['http://a.test/x/', 'y#part', 'http://a.test/x/y'],
    ['http://a.test/x', 'https://a.test/x', 'https://a.test/x'],
    ['http://a.test:3000/x', 'https://A.TEST.:3443/x', 'https://a.test.:3443/x'],
    ['https://a.test/x', 'https://user:pass@a.test/y', 'https://a.test/y'],
    ['https://a.test/x', 'https://b.test/x', 'redirect'],
    ['https://a.test/x', '//b.test/x', 'redirect'],
    ['https://a.test/x', 'https://a.test:8443/x', 'redirect'],
    ['https://a.test/x', 'https://www.a.test/x', 'redirect'],
    ['https://a.test/x', 'http://a.test/x', 'redirect'],
    ['https://a.test/x', 'http://[', 'redirect'],
    ['http://[::1]:3000/', 'http://[0:0::1]:3000/x', 'http://[::1]:3000/x'],
  ])('for git from %s to %s: %s', (from, location, expected) =>
    expect(target(from, location, 'same-host')).toBe(expected),
  );

  it.each([
    ['https://a.test/x', 'https://b.test/y', 'https://b.test/y'],
    ['http://a.test/x', 'http://b.test/y', 'http://b.test/y'],
    ['http://a.test/x', 'https://b.test/y', 'https://b.test/y'],
    ['https://a.test/x', 'http://a.test/x', 'redirect'],
    ['https://a.test/x', '//b.test/y', 'https://b.test/y'],
  ])('is followed from %s to %s: %s', (from, location, expected) =>
    expect(target(from, location, 'follow')).toBe(expected),
  );

  it('is returned to the caller if its rule follows none, without a Location, and for other statuses', () => {
    expect(follow('http://a.test/', '/y', { rule: 'none' })).toBeUndefined();
    expect(follow('http://a.test/', undefined)).toBeUndefined();
    for (const status of [200, 201, 300, 304, 305, 404])
      expect(follow('http://a.test/', '/y', { status })).toBeUndefined();
  });

  it('sends no header that could be secret to another origin', () => {
    const harmless = { accept: '*/*', 'user-agent': 'bindery' };
    for (const location of ['https://b.test/', 'https://a.test:8443/']) {
      expect(follow('https://a.test/', location)?.headers).toEqual(harmless);
    }
    expect(follow('http://a.test/', 'https://a.test/')?.headers).toEqual(harmless);
    expect(follow('https://a.test/', '/y')?.headers).toEqual(secrets);
  });

  it('keeps the credentials of git when the same host moves to https', () => {
    expect(follow('http://a.test/', 'https://a.test/', { rule: 'same-host' })?.headers).toEqual(secrets);
  });

  it('repeats a POST only as the same POST', () => {
    const body = new Uint8Array([1]);
    const post = (status: number, rule: RedirectRule, sent: Hop['body'] = body) =>
      follow('http://a.test/', '/y', { status, rule, method: 'POST', body: sent });
    expect(post(307, 'follow')).toMatchObject({ method: 'POST', body });
    expect(post(308, 'same-host')).toMatchObject({ method: 'POST', body });
    expect(post(301, 'same-host')).toMatchObject({ method: 'POST', body });
    const openable = { sizeBytes: 1, open: () => streamOf(body) };
    expect(post(301, 'same-host', openable)).toMatchObject({ method: 'POST', body: openable });
    expect(() => post(302, 'follow')).toThrow('cannot be sent again');
    expect(() => post(303, 'same-host')).toThrow('cannot be sent again');
    expect(() => post(307, 'same-host', streamOf(body))).toThrow('cannot be sent again');
  });
});

async function* streamOf(chunk: Uint8Array) {
  yield chunk;
}
