import { describe, expect } from 'vitest';
import { violationsOf } from '../../support/operatorBrowser.ts';
import { around, inBoth, it, logo, widths } from '../../support/site/lookSite.ts';

const isLastLinkShown = `(() => {
  const { left, right, width } = document.querySelector('.menu li:last-child a').getBoundingClientRect();
  return width > 0 && left >= 0 && right <= innerWidth;
})()`;

describe('the frame of a customization', () => {
  it('has the announcement, icon, logos, links and copyright', async ({ server, siteWith }) => {
    const { text, headers } = await server.get(await siteWith(around));
    expect(text).toMatch(/<aside class="announcement"[^>]*>Version 2 has arrived <a href="https:\/\/blog/);
    expect(text).toContain(`<link rel="icon" href="data:image/svg+xml,%3Csvg`);
    expect(text).toContain(encodeURIComponent('🚀'));
    expect(headers['content-security-policy']).toContain("img-src 'self' data: https://pictures.example;");
    expect(text).toContain('<a class="brand" href="https://www.example.org/"><img class="on-light"');
    expect(text).toContain(
      '<a class="button primary" href="https://app.example.org/" target="_blank" rel="noopener">Start &quot;now',
    );
    expect(text).toContain('<summary>More</summary><ul><li><a href="/l/0">Link number 0</a>');
    expect(text).not.toMatch(/Secret|Gone|Empty/);
    const footer = text.slice(text.indexOf('<footer'));
    expect(footer).toContain('<p class="label">Company</p><ul><li><a href="/jobs">Jobs</a></li></ul>');
    expect(footer).toContain('<a href="https://mastodon.social/@we" target="_blank"');
    expect(footer).toContain('>Privacy policy</a>');
    expect(footer).toContain('<p>© Us &amp; them</p>');
    expect(footer).toContain('https://pictures.example/dark.svg');
  });

  it('is around search results too, without links that need the content', async ({ server, siteWith }) => {
    const { text } = await server.get(`${await siteWith(around)}/~/search?q=text`);
    expect(text).toContain('Version 2 has arrived');
    expect(text).toContain('>Jobs</a>');
    expect(text).not.toMatch(/Secret|Gone|Empty/);
  });

  it('fits into narrow and wide windows, also with an open menu, also from right to left', async ({
    page,
    siteWith,
  }) => {
    const url = await siteWith({ ...around, favicon: { icon: logo } });
    for (const direction of ['ltr', 'rtl']) {
      for (const width of widths) {
        await page.setViewport({ width, height: 900 });
        await page.goto(url);
        await page.evaluate(`document.documentElement.dir = '${direction}'`);
        await page.click('.menu > summary');
        const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(wider, `${direction} at ${width}`).toBeLessThanOrEqual(0);
        const link = await page.evaluate(isLastLinkShown);
        expect(link, `${direction} at ${width}`).toBe(true);
        expect(await violationsOf(page), `${direction} at ${width}`).toEqual([]);
      }
    }
    // The pictures are on a host that does not exist.
    expect(page.complaints.filter((text) => !text.includes('ERR_'))).toEqual([]);
  });
});

describe('the content security policy of a page', () => {
  it.for(['https://x;sandbox/p.png', 'https://x,default-src/p.png'])(
    'gets no directive from the host of a logo, %s',
    async (light, { server, siteWith }) => {
      const { status, headers } = await server.get(
        await siteWith({ header: { logo: inBoth(light, light) } }),
      );
      expect(status).toBe(200);
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
      expect(headers['content-security-policy']).not.toMatch(/https:|sandbox/);
    },
  );
});
