import { PublishingAuth, type SiteRecord } from '@bindery/models';
import { loadPublishingAuth, privateKeyOf, signPreview } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { buildShareLink, buildSite, buildSpace } from '../support/factories.ts';
import { publishPages } from '../support/content/indexing.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import { it as base } from '../support/site/siteIt.ts';

// Requests that no browser sends, or that somebody else made it send.

const signIn = 'https://sign-in.example/start';
const inTenMinutes = () => Math.floor(Date.now() / 1_000) + 600;

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide' }), [
      { title: 'Home', path: 'home', source: '# Home\n\nx' },
      { title: 'Below', path: 'a/é', source: '# Below\n\nx' },
      { title: 'constructor', path: 'constructor', source: '# Named like a property\n\nx' },
    ]),
  )
  .extend('publish', { scope: 'file' }, ({ organization, guide, hostname }) => {
    return async (fields: Partial<SiteRecord> = {}) => {
      const site = await buildSite(organization, { spaces: [guide], isPublished: true, ...fields });
      return { site, path: `/${hostname}/${site.basename}` };
    };
  })
  .extend('open', { scope: 'file' }, ({ publish }) => publish())
  .extend('closed', { scope: 'file' }, async ({ api, publish }) => {
    const { site, path } = await publish({ visibility: 'visitor-auth' });
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    await PublishingAuth.updateOne({ _id: site._id }, { fallbackUrl: signIn });
    return { path, key, token: signVisitorToken({ exp: inTenMinutes() }, { key }) };
  });

describe('a path', () => {
  it.for(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'named like a property, %s, serves a page only if one exists',
    async (name, { server, open }) => {
      expect((await server.ask(`${open.path}/${name}`)).status).toBe(name === 'constructor' ? 200 : 404);
    },
  );

  it.for([
    ['/%00', 404],
    ['/%', 404],
    ['/%ff%fe', 404],
    ['/a%5C..%5C..', 404],
    ['/..%2f..%2fetc%2fpasswd', 404],
    ['/%2e%2e/%2e%2e/%2e%2e/etc/passwd', 404],
    [`/${'a'.repeat(8_000)}`, 404],
    [`/${'a/'.repeat(4_000)}`, 404],
    [`/~/files/${'%00'.repeat(9)}/0123456789abcdef/x`, 404],
    [`/~/search?q=${'%00%ff'.repeat(500)}`, 200],
    [`/~/search.json?q=${'"'.repeat(2_000)}`, 200],
  ] as const)('when malformed, %s, answers %i', async ([path, status], { server, open }) => {
    const answer = await server.ask(open.path + path);
    expect(answer.status).toBe(status);
    expect(answer.text.length).toBeLessThan(20_000);
  });

  it('is redirected to the canonical path of its page when it is spelled differently', async ({
    server,
    open,
  }) => {
    const own = `${open.path}/a/%C3%A9`;
    const others = ['/a%2F%C3%A9', '/%61/%C3%A9', '//a///%C3%A9', '/a/%c3%a9', '/a/e%CC%81', '/a/%C3%A9/'];
    for (const path of others) {
      const { status, headers } = await server.ask(`${open.path}${path}?x=1`);
      expect([path, status, headers.location]).toEqual([path, 308, `${own}?x=1`]);
    }
    expect((await server.ask(own)).status).toBe(200);
  });

  it('is redirected to the canonical path of its site when the site is spelled differently', async ({
    server,
    open,
    closed,
    hostname,
    publish,
  }) => {
    const loud = ({ path }: { path: string }) =>
      path.replace(hostname, `%${hostname.charCodeAt(0).toString(16)}${hostname.slice(1).toUpperCase()}`);
    const { status, headers } = await server.ask(`${loud(open)}/a/%C3%A9?x=1`);
    expect([status, headers.location]).toEqual([308, `${open.path}/a/%C3%A9?x=1`]);
    const signedIn = await server.ask(`${loud(closed)}?jwt_token=${closed.token}`);
    expect([signedIn.status, signedIn.headers.location]).toEqual([
      308,
      `${closed.path}?jwt_token=${closed.token}`,
    ]);
    // An unpublished site looks as if it did not exist.
    expect((await server.ask(loud(await publish({ isPublished: false })))).status).toBe(404);
  });

  it.for(['//evil.example', '/\\evil.example', 'https://evil.example', '/.//evil.example'])(
    'with another host in it, %s, does not redirect to another host',
    async (start, { server, open, closed }) => {
      for (const path of [`${open.path}/home`, closed.path, `${closed.path}?jwt_token=${closed.token}`]) {
        const { headers } = await server.ask(start + path);
        expect(headers.location ?? '/').toMatch(/^\/(?!\/)|^https:\/\/sign-in\.example\//);
      }
    },
  );
});

describe('a Host header', () => {
  it.for(['evil.example', '[::1]', 'a b', '', 'evil.example\\', '.', '%00'])(
    'without a site, %j, answers 404',
    async (host, { server, open }) => {
      const { status, headers } = await server.ask(open.path, { headers: { host } });
      expect([status, headers['cache-control']]).toEqual([404, 'private, no-store']);
    },
  );

  it('is refused with a path, a query or a user', async ({ server, open }) => {
    const { host } = new URL(server.origin);
    for (const strange of [
      `${host}${open.path}?`,
      `${host}/x/..`,
      `user@${host}`,
      `${host}#`,
      `${host}, evil.example`,
    ])
      expect([strange, (await server.ask(open.path, { headers: { host: strange } })).status]).toEqual([
        strange,
        404,
      ]);
  });

  it('has precedence over forwarded headers of an untrusted client', async ({ server, open }) => {
    const usual = await server.ask(open.path);
    for (const name of ['x-forwarded-host', 'x-host', 'x-original-host', 'forwarded']) {
      const { status, headers, text } = await server.ask(open.path, { headers: { [name]: 'evil.example' } });
      expect([status, headers.etag, text]).toEqual([200, usual.headers.etag, usual.text]);
    }
    for (const name of ['x-original-url', 'x-rewrite-url', 'x-http-method-override', 'x-forwarded-prefix'])
      expect((await server.ask(open.path, { headers: { [name]: '/evil' } })).text).toBe(usual.text);
  });
});

describe('a response without content', () => {
  it('has the content security policy of its page, because browsers replace the headers', async ({
    server,
    open,
  }) => {
    const { headers } = await server.ask(open.path);
    const again = await server.ask(open.path, { headers: { 'if-none-match': headers.etag! } });
    expect([again.status, again.headers['content-security-policy']]).toEqual([
      ...[304, headers['content-security-policy']],
    ]);
  });
});

describe('a method', () => {
  it.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'is refused unless it only reads: %s',
    async (method, { server, open }) => {
      const { status, headers } = await server.ask(open.path, { method });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    },
  );

  it('HEAD has the headers of GET, and no body', async ({ server, open }) => {
    for (const path of ['', '/sitemap.xml', '/home.md', '/nowhere', '/~/search?q=x', '/home']) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => server.ask(open.path + path, { method })),
      );
      const { date: _get, ...expected } = get!.headers;
      const { date: _head, ...given } = head!.headers;
      expect([path, head!.status, given, head!.text]).toEqual([path, get!.status, expected, '']);
    }
  });
});

describe('the token of a visitor', () => {
  const cookieOf = (token: string) => ({ cookie: `bindery-visitor=${token}` });

  it('opens the site that signed it', async ({ server, closed }) => {
    const { status, headers } = await server.ask(closed.path, { headers: cookieOf(closed.token) });
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect((await server.ask(closed.path)).status).toBe(302);
  });

  it('is not accepted when it is forged or expired', async ({ server, closed: { path, key } }) => {
    const exp = inTenMinutes();
    const none = (header: object) =>
      `${[header, { exp }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
    const tokens = [
      none({ alg: 'none' }),
      `${none({ alg: 'HS256' })}AAAA`,
      signVisitorToken({ exp }, { key: Buffer.from('another key') }),
      signVisitorToken({ exp }, { key, header: { alg: 'HS512' } }),
      signVisitorToken({ exp }, { key, header: { crit: ['b64'], b64: false } }),
      signVisitorToken({}, { key }),
      signVisitorToken({ exp: exp - 3_600 }, { key }),
      signVisitorToken({ exp: exp + 365 * 86_400 }, { key }),
      signVisitorToken('[[['.repeat(500), { key }),
      '..',
      'x',
      '%00',
      '"',
      'a.b.c',
    ];
    for (const token of tokens) {
      const [kept, given] = await Promise.all([
        server.ask(path, { headers: cookieOf(token) }),
        server.ask(`${path}?jwt_token=${token}`),
      ]);
      for (const { status, headers } of [kept, given]) {
        expect([token.slice(0, 60), status, headers['set-cookie']]).toEqual([
          token.slice(0, 60),
          302,
          undefined,
        ]);
        expect(headers.location).toMatch(/^https:\/\/sign-in\.example\/start\?/);
      }
    }
  });

  it('is found among many cookies, within the limit of header bytes', async ({ server, closed }) => {
    const many = Array.from({ length: 300 }, (_, index) => `c${index}=${'x'.repeat(20)}`).join('; ');
    const { status } = await server.ask(closed.path, {
      headers: { cookie: `${many}; ${cookieOf(closed.token).cookie}` },
    });
    expect(status).toBe(200);
    expect((await server.ask(closed.path, { headers: { cookie: 'c='.repeat(10_000) } })).status).toBe(431);
  });

  it('opens no other site on the same origin', async ({ server, closed, publish, api }) => {
    const other = await publish({ visibility: 'visitor-auth' });
    await loadPublishingAuth(api.config.secrets, other.site);
    expect((await server.ask(other.path, { headers: cookieOf(closed.token) })).status).toBe(404);
    const { headers } = await server.ask(`${closed.path}?jwt_token=${closed.token}`);
    expect(headers['set-cookie']).toEqual([
      `bindery-visitor=${closed.token}; Path=${closed.path}; HttpOnly; SameSite=Lax`,
    ]);
    expect(headers.location).toBe(closed.path);
  });

  it('is not passed on to the sign-in page when it is invalid', async ({ server, closed }) => {
    const { headers } = await server.ask(`${closed.path}/a?x=1&jwt_token=old.old.old`);
    const location = new URL(headers.location!).searchParams.get('location');
    expect(location).toBe(`${closed.path}/a?x=1`);
  });
});

describe('a preview', () => {
  it('sets no cookie for an unverified token', async ({ api, server, open }) => {
    const { site, path } = open;
    const token = signPreview(api.config.secrets, {
      site: site._id,
      siteSpace: site.defaultSiteSpace!,
      claims: {},
    });
    const preview = `${path}/${token}`;
    expect((await server.ask(preview)).status).toBe(200);
    for (const given of ['x', 'x; Path=/; Domain=example', '%0d%0aSet-Cookie:%20a=b']) {
      const { status, headers } = await server.ask(`${preview}?jwt_token=${encodeURI(given)}`);
      expect([status, headers.location, headers['set-cookie']]).toEqual([302, preview, undefined]);
    }
  });
});

describe('the secret of a share link', () => {
  it('leaks through no Referer, no cache and no canonical address', async ({ server, publish }) => {
    const { site, path } = await publish({ visibility: 'share-link' });
    const { key } = await buildShareLink(site);
    for (const below of ['', '/constructor', '/nowhere', '/~/search?q=x', '/sitemap.xml', '/home']) {
      const { headers, text } = await server.ask(`${path}/${key}${below}`);
      expect([below, headers['referrer-policy'], headers['cache-control']]).toEqual([
        ...[below, 'same-origin', 'private, no-store'],
      ]);
      expect(text).not.toMatch(/rel="canonical"|property="og:url"/);
    }
    // Also of one that opens nothing: it may be that of another site.
    const wrong = await server.ask(`${path}/${'x'.repeat(32)}`);
    expect([wrong.status, wrong.headers['referrer-policy']]).toEqual([404, 'no-referrer']);
    expect(server.log.join('\n')).not.toContain(key);
  });
});
