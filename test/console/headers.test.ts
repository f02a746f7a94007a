import { ConsoleSession } from '@bindery/models';
import { describe, expect } from 'vitest';
import { routes } from '../../apps/console/src/routes.ts';
import { it } from '../support/console/consoleIt.ts';

const forms = routes.filter(({ method }) => method === 'post').map(({ path }) => path);
const pages = routes.filter(({ method }) => method === 'get').map(({ path }) => path);
/** Its parameters lead nowhere: the origin is checked first. */
const anyOf = (path: string) => path.replaceAll(/[:*]\w+/g, 'x');

describe('a form', () => {
  it.for(
    forms.flatMap(
      (path) =>
        [
          [path, { 'sec-fetch-site': 'cross-site' }],
          [path, { 'sec-fetch-site': 'same-site' }],
          [path, { 'sec-fetch-site': '', origin: 'https://evil.example' }],
          [path, { 'sec-fetch-site': '', origin: 'null' }],
        ] as const,
    ),
  )('is refused when it was sent from another site: %s %o', async ([path, headers], { atHome, admin }) => {
    const before = await ConsoleSession.countDocuments({ user: admin.user._id });
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const answer = await atHome.ask(anyOf(path), {
      method: 'POST',
      headers: { ...given, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('The form was sent from another site. Nothing was changed.');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await ConsoleSession.countDocuments({ user: admin.user._id })).toBe(before);
  });

  it.for(forms)('refuses other content types and bodies that are too long: %s', async (path, { atHome }) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    expect((await atHome.ask(anyOf(path), { method: 'POST', headers })).status).toBe(415);
    const route = routes.find((one) => one.method === 'post' && one.path === path);
    const maxBytes = route && 'maxBytes' in route ? route.maxBytes : undefined;
    const form = { text: 'x'.repeat(maxBytes ?? 100_000) };
    expect((await atHome.ask(anyOf(path), { form })).status).toBe(413);
  });

  it.for(forms.filter((path) => !pages.includes(path)))('is not a page: %s', async (path, { atHome }) => {
    const answer = await atHome.ask(anyOf(path));
    // Another route may show a page there, such as that of one space.
    expect(answer.status === 405 || pages.length > 0).toBe(true);
    if (answer.status === 405) expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('a response', () => {
  const paths = [...pages.map(anyOf), '/nowhere', '/%zz', '/healthz', '/sign-in', '//evil.example'];

  it.for(paths)(
    'of %s allows only own scripts, no framing, no caching and no Referer to other origins',
    async (path, { atHome }) => {
      const { headers } = await atHome.ask(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      );
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
    },
  );

  it('may be cached for ever when it is a style sheet, whose name changes with its content', async ({
    visitor,
  }) => {
    const { text } = await visitor.get('/sign-in');
    const [, path = ''] = /href="(\/assets\/[^"]+)"/.exec(text) ?? [];
    const { status, headers } = await visitor.get(path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it('lists the allowed methods after a request with another method', async ({ visitor }) => {
    const { status, headers } = await visitor.ask('/sign-in', { method: 'DELETE' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await visitor.ask('/sign-in', { method: 'HEAD' })).status).toBe(200);
  });

  it('reports liveness and readiness to a probe', async ({ visitor }) => {
    expect(JSON.parse((await visitor.get('/healthz')).text)).toEqual({ status: 'ok' });
    expect(JSON.parse((await visitor.get('/readyz')).text)).toMatchObject({
      status: 'ready',
      checks: { mongodb: 'ok', api: 'ok' },
    });
  });
});
