import { PublishingAuth, type SiteRecord } from '@bindery/models';
import { loadPublishingAuth, privateKeyOf, signPreview } from '@bindery/publishing';
import { wordsOf } from '@bindery/render';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import { it as base } from '../support/site/siteIt.ts';

// A browser drops a cookie whose name and value have more than 4,096 bytes.
const longest = 4_096 - 'bindery-visitor'.length;

const it = base.extend('publish', { scope: 'file' }, ({ api, organization, hostname }) => {
  /** Publishes a site that signs with a key of its own. @returns its path, and who makes its tokens */
  return async (fields: Partial<SiteRecord>) => {
    const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), [
      { title: 'Home', path: 'home', source: '# Home\n\nText' },
    ]);
    const site = await buildSite(organization, { spaces: [guide], isPublished: true, ...fields });
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    await PublishingAuth.updateOne({ _id: site._id }, { fallbackUrl: 'https://sign-in.example/' });
    const exp = Math.floor(Date.now() / 1_000) + 600;
    /** A token of at least this length, and at most two characters more. */
    const tokenOf = (length: number, signedWith = key) => {
      for (let size = Math.floor((length * 3) / 4) - 200; ; size += 1) {
        const token = signVisitorToken({ exp, more: 'x'.repeat(size) }, { key: signedWith });
        if (token.length >= length) return token;
      }
    };
    return { site, path: `/${hostname}/${site.basename}`, tokenOf };
  };
});

describe('a long token of a visitor', () => {
  it('signs in while it fits into a cookie', async ({ page, server, publish }) => {
    const { path, tokenOf } = await publish({ visibility: 'visitor-auth' });
    const token = tokenOf(longest - 2);
    expect(token.length).toBeLessThanOrEqual(longest);
    await page.goto(`${server.origin}${path}?jwt_token=${token}`);
    expect([page.url(), await page.title()]).toEqual([`${server.origin}${path}`, 'Home - Site']);
  });

  it('is refused with a clear message when it is too long, without a sign-in loop', async ({
    server,
    publish,
  }) => {
    const { path, tokenOf } = await publish({ visibility: 'visitor-auth' });
    const forged = tokenOf(longest + 1, Buffer.from('another key'));
    for (const token of [tokenOf(longest + 1), tokenOf(5_500), tokenOf(9_000), forged]) {
      for (const language of ['en', 'de']) {
        const { status, headers, text } = await server.ask(`${path}?jwt_token=${token}`, {
          headers: { 'accept-language': language },
        });
        expect([status, headers.location, headers['set-cookie']]).toEqual([400, undefined, undefined]);
        expect(headers['cache-control']).toContain('no-store');
        expect(headers['referrer-policy']).toBe('no-referrer');
        expect(text).toContain(`<h1>${wordsOf(language).tokenTooLong}</h1>`);
        expect(text).not.toContain(token.slice(0, 100));
      }
    }
    const kept = await server.ask(path, { headers: { cookie: `bindery-visitor=${tokenOf(5_500)}` } });
    expect(kept.status).toBe(302);
  });

  it('is refused also by a public site when it is too long, because its claims would be lost', async ({
    server,
    publish,
  }) => {
    const { path, tokenOf } = await publish({ visibility: 'public' });
    expect((await server.ask(`${path}?jwt_token=${tokenOf(longest + 1)}`)).status).toBe(400);
    expect((await server.ask(path)).status).toBe(200);
  });

  it('gets 404 for an unpublished site, and is not checked in a preview', async ({
    api,
    server,
    publish,
  }) => {
    const { site, path, tokenOf } = await publish({ isPublished: false });
    const token = tokenOf(longest + 1);
    expect((await server.ask(`${path}?jwt_token=${token}`)).status).toBe(404);
    const preview = `${path}/${signPreview(api.config.secrets, { site: site._id, siteSpace: site.defaultSiteSpace!, claims: {} })}`;
    const { status, headers } = await server.ask(`${preview}?jwt_token=${token}`);
    expect([status, headers.location, headers['set-cookie']]).toEqual([302, preview, undefined]);
  });
});
