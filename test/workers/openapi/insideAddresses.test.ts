import { beforeAll, describe, expect } from 'vitest';
import { startContentServer } from '../../support/content/contentServer.ts';
import { missingLab, runInLab } from '../../support/lab/runInLab.ts';
import { it as base, petstore } from '../../support/openapi/specs.ts';

const secret = 's3cr3t-of-an-inside-service';
const refusal = 'The URL leads to an address or port to which this server does not connect.';
const toOtherHost = 'The server redirects to another host.';
const otherHost =
  'The other files of a specification must come from the same host and port as the specification.';

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('inside', { scope: 'file' }, async ({}, { onCleanup }) => {
    const inside = await startContentServer('127.0.0.1');
    onCleanup(inside.close);
    const body = petstore({}, { info: { title: secret, version: '1' } });
    for (const path of ['/', '/latest/meta-data/']) inside.put(path, { type: 'application/json', body });
    return inside;
  })
  .extend('redirect', { scope: 'file' }, ({ server }) => (path: string, location: string) => {
    server.put(path, { status: 302, headers: { location }, body: secret });
    return `${server.origin}${path}`;
  });

/** Ways to say where a server on port `PORT` of this machine, or of the network inside, is. */
const insideUrls = [
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://2130706433:PORT/',
  'http://127.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
];

describe('the URL of a specification', () => {
  it.for(insideUrls.map((url, index) => [url, `to-${index}`] as const))(
    'is refused when it redirects to %s, which gets no request',
    async ([location, slug], { inside, redirect, put }) => {
      const url = redirect(`/${slug}`, location.replace('PORT', new URL(inside.origin).port));
      const spec = await put(slug, { url });
      expect(spec).toMatchObject({
        lastProcessErrorCode: 'FETCH_ERROR',
        lastProcessedErrors: [{ code: 'refused_address', message: refusal }],
      });
      expect(spec).not.toHaveProperty('lastVersion');
      expect(JSON.stringify(spec)).not.toContain(secret);
      expect(inside.requests).toEqual([]);
    },
  );

  it.for(['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:application/json,{}'])(
    'is refused when it redirects to %s',
    async (location, { redirect, put }) => {
      const [scheme] = location.split(':');
      const spec = await put(`to-${scheme}`, { url: redirect(`/to/${scheme}`, location) });
      expect(spec).toMatchObject({
        lastProcessErrorCode: 'FETCH_ERROR',
        lastProcessedErrors: [{ code: 'bad_url' }],
      });
      expect(JSON.stringify(spec)).not.toMatch('root:');
    },
  );
});

describe('references of a specification', () => {
  it('to internal addresses and local files are findings, and cause no request', async ({
    inside,
    server,
    redirect,
    put,
    call,
  }) => {
    const { port } = new URL(inside.origin);
    const elsewhere = [
      ...insideUrls.map((url) => url.replace('PORT', port)),
      'file:///etc/passwd',
      '//127.0.0.1/etc/passwd',
      'ftp://127.0.0.1/a',
      'data:application/json,{}',
    ];
    const redirected = insideUrls.map((url, index) =>
      redirect(`/inside/${index}.json`, url.replace('PORT', port)),
    );
    const refs = [...elsewhere, ...redirected, '/etc/passwd'];
    const paths = Object.fromEntries(refs.map(($ref, index) => [`/p${index}`, { $ref }]));
    server.put('/inside.json', { type: 'application/json', body: petstore(paths) });
    const spec = await put('references', { url: `${server.origin}/inside.json` });
    expect(spec.lastVersion).toEqual(expect.any(String));
    const { body } = await call('GET', 'references/versions/latest/findings');
    const messages = new Map<string, string>(
      body.items
        .filter(({ rule }: { rule: string }) => rule === 'file-refused')
        .map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message]),
    );
    const messageOf = (ref: string) => {
      if (elsewhere.includes(ref)) return otherHost;
      return redirected.includes(ref) ? toOtherHost : expect.any(String);
    };
    const expected = refs.map((ref, index) => [`/paths/~1p${index}/$ref`, messageOf(ref)]);
    expect(Object.fromEntries(messages)).toEqual(Object.fromEntries(expected));
    const { text } = await call('GET', 'references/versions/latest/content');
    expect(text).not.toMatch(new RegExp(`root:|${secret}`));
    expect(inside.requests).toEqual([]);
    // The path on the own host is asked for there, as any other.
    expect(server.requests).toContain('/etc/passwd');
  });
});

const missing = missingLab();
if (missing) console.warn(`Network lab not run: ${missing}`);

/** The outcomes of the reading process for sources and references; refusals have the texts above. */
const expectedInLab: Record<string, string> = {
  'url http://pub.test/good.json': 'read',
  'url http://169.254.169.254/latest/': 'refused_address',
  'url http://[::1]/': 'refused_address',
  'url http://loop.test/': 'refused_address',
  'url http://meta.test/': 'refused_address',
  'url http://alias.test/': 'refused_address',
  'url http://mix.test/': 'refused_address',
  'url http://half.test/': 'refused_address',
  'url http://nat64.test/': 'refused_address',
  'url http://none.test/': 'dns',
  'url http://pub.test/to/http://169.254.169.254/latest/': 'refused_address',
  'url http://pub.test/to/http://meta.test/': 'refused_address',
  'url http://pub.test/to/http://[::1]/': 'refused_address',
  'url http://pub.test/to/http://pub.test/to/http://10.0.0.5/': 'refused_address',
  'url http://pub.test/to/file:///etc/passwd': 'bad_url',
  'reference http://169.254.169.254/latest/': otherHost,
  'reference http://meta.test/': otherHost,
  'reference http://[::1]/': otherHost,
  'reference //10.0.0.5/': otherHost,
  'reference file:///etc/passwd': otherHost,
  'reference /to/http://169.254.169.254/latest/': toOtherHost,
  'reference /to/http://meta.test/': toOtherHost,
  'reference /to/http://[::1]/': toOtherHost,
  'reference /to/http://10.0.0.5/': toOtherHost,
  'reference /to/http://other.test/good.json': toOtherHost,
  'reference /to/http://pub.test/good.json': 'read',
};

describe.skipIf(missing)('in a network with canaries', () => {
  let report: {
    outcomes: Record<string, string>;
    flipped: string[];
    othersAsked: number;
    hits: Record<string, number>;
    touched: Record<string, number>;
  };

  beforeAll(async () => {
    report = (await runInLab(new URL('./insideAddressesLabCases.ts', import.meta.url), {
      args: Object.keys(expectedInLab),
      timeoutMs: 150_000,
    })) as typeof report;
  }, 160_000);

  it('a specification is read from public addresses only', () =>
    expect(report.outcomes).toEqual(expectedInLab));

  it('a host name that moves to an internal address after the entry was read serves no other file', () => {
    expect(report.flipped).toContain(refusal);
    expect(new Set(report.flipped).difference(new Set([refusal, 'read']))).toEqual(new Set());
  });

  it('a redirect of another file makes no request to another host', () => expect(report.othersAsked).toBe(0));

  it('no canary was reached', () => {
    expect(report.hits).toEqual({ '127.0.0.1': 0, '10.0.0.5': 0, '169.254.169.254': 0, '::1': 0 });
    expect(Object.values(report.touched).every((count) => count > 0)).toBe(true);
  });
});
