import { parse } from 'parse5';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { pageTexts } from '../hostile/texts.ts';
import { indexWhatWaits, publishPages } from '../support/content/indexing.ts';
import { buildFile, buildSection, buildSite, buildSiteSpace, buildSpace } from '../support/factories.ts';
import { attacks } from '../support/render/attacks.ts';
import { it as base } from '../support/site/siteIt.ts';

// Texts of strangers in all places where a site shows texts, as a browser and as a reader of HTML take them.

/** An attack as each kind of Markdown has it. */
const bodyOf = (attack: string, file: string) => {
  const [line, word] = [attack.replaceAll('\n', ' '), attack.replaceAll(/\s/g, '')];
  const quoted = attack.replaceAll('"', '&#x22;').replaceAll('<', '&lt;');
  return [
    `# Page\n\nFruit ${attack}`,
    `## ${line} <a href="#${quoted}" id="${quoted}"></a>`,
    `[${line}](${word}) [a](#${word}) ![${line}](${word}) <img src="${quoted}" alt="${quoted}">`,
    `<figure><img src="/files/${file}" alt="${quoted}"><figcaption>${attack}</figcaption></figure>`,
    `<a href="${quoted}">${line}</a> <a href="${attack}">x</a>`,
    `{% hint style="${quoted}" icon="${quoted}" %}\n${attack}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="${quoted}" %}\n${attack}\n{% endtab %}\n{% endtabs %}`,
    `{% code title="${quoted}" %}\n\`\`\`${word}\n${attack}\n\`\`\`\n{% endcode %}`,
    `{% embed url="${quoted}" %}\n${line}\n{% endembed %}`,
    `{% file src="${quoted}" %}\n${line}\n{% endfile %}`,
    `{% content-ref url="${quoted}" %}\n[${line}](${word})\n{% endcontent-ref %}`,
    `{% openapi-operation spec="${quoted}" path="${quoted}" method="${quoted}" %}\n{% endopenapi-operation %}`,
    `{% updates format="full" %}\n{% update date="2026-03-01" tags="${quoted}" %}\n## ${line}\n\n${attack}\n{% endupdate %}\n{% endupdates %}`,
    `<details><summary>${line}</summary>\n\n${attack}\n\n</details>`,
    `| ${line} |\n| - |\n| ${line} |`,
    `$$\n${attack}\n$$`,
    `<mark style="color:${quoted};">x</mark> <i class="fa-${quoted}">x</i> :${word}:`,
  ].join('\n\n');
};

const cut = (text: string) => text.toWellFormed().replaceAll('\0', '');

const it = base.extend('url', { scope: 'file' }, async ({ api, organization, hostname, server }) => {
  const file = await buildFile(api.blobs, organization._id, {
    name: `${attacks[1]}.png`,
    contentType: 'image/png',
  });
  const pages = attacks.map((attack, index) => ({
    id: `attack-${index}`,
    title: cut(attack),
    path: `attack-${index}`,
    description: cut(attack),
    emoji: cut(attack),
    linkTitle: cut(attack),
    tags: [{ tag: cut(attack) }],
    source: bodyOf(attack, file.id),
    updatedAt: cut(attack),
    git: { oid: '1', path: cut(attack) },
  }));
  const guide = await publishPages(
    await buildSpace(organization, {
      title: attacks[1]!,
      gitSync: { provider: 'github', url: 'javascript:alert(1)//', updatedAt: new Date() },
    }),
    [
      ...pages,
      {
        type: 'group',
        title: attacks[2]!,
        path: 'group',
        pages: [{ title: attacks[3]!, path: 'group/a"b\'c<d', source: 'x' }],
      },
      ...attacks.map((url) => ({
        type: 'link' as const,
        title: cut(url),
        target: { kind: 'url' as const, url: cut(url) },
      })),
    ],
    { files: [file], redirects: attacks.map((to, index) => ({ from: `listed-${index}`, to: cut(to) })) },
  );
  await indexWhatWaits(api.config);
  const links = attacks.map((attack) => ({ title: cut(attack), to: { kind: 'url', url: cut(attack) } }));
  const settings = {
    title: attacks[0],
    header: {
      links: links.map((link) => ({ ...link, links })),
      primaryLink: { kind: 'url', url: 'javascript:alert(1)' },
    },
    footer: { copyright: attacks.map(cut).join(' '), groups: [{ title: attacks[1], links }] },
    announcement: { enabled: true, message: attacks.map(cut).join(' '), link: links[8], style: 'info' },
    socialAccounts: attacks.map((handle) => ({
      platform: 'github',
      handle: cut(handle),
      display: { header: true, footer: true },
    })),
    privacyPolicy: { url: 'javascript:alert(1)' },
    socialPreview: { url: attacks[1] },
    favicon: { emoji: attacks[1] },
    git: { showEditLink: true },
    pageActions: { markdown: true, items: ['markdown', 'git', 'pdf'] },
  };
  const site = await buildSite(organization, {
    title: attacks[1]!,
    isPublished: true,
    customization: { settings, updatedAt: new Date() } as never,
  });
  const { _id: section } = await buildSection(site, { space: guide, title: attacks[2]!, path: 'guides' });
  const other = await publishPages(await buildSpace(organization, { title: attacks[3]! }), [
    { title: 'x', path: 'x', source: 'x' },
  ]);
  await buildSiteSpace(site, { space: other, section, path: 'other' });
  await buildSection(site, { space: other, title: attacks[4]!, path: 'second' });
  return `${server.origin}/${hostname}/${site.basename}`;
});

/** Opens a page of hostile texts in a browser, and lists the forbidden actions that it took. */
async function misdeedsAt(page: Page & { complaints: string[] }, url: string): Promise<string[]> {
  const { origin } = new URL(url);
  const found: string[] = [];
  const isOwn = (address: string) => address.startsWith(`${origin}/`) || address.startsWith('data:');
  page.removeAllListeners('request');
  page.removeAllListeners('dialog');
  page.on('request', (request) => void (isOwn(request.url()) || found.push(`asked for ${request.url()}`)));
  page.on('dialog', (dialog) => {
    found.push(`said ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.complaints.length = 0;
  await page.goto(url);
  if (page.url() !== url) found.push(`went to ${page.url()}`);
  const schemes = (await page.evaluate(
    `[...new Set([...document.querySelectorAll('[href],[src],[action]')].map((each) => URL.parse(each.href || each.src || each.action, location)?.protocol ?? 'none'))]`,
  )) as string[];
  found.push(
    ...schemes.filter((scheme) => !['http:', 'https:', 'mailto:', 'tel:', 'data:', 'none'].includes(scheme)),
  );
  const names = (await page.evaluate(
    `[...new Set([...document.querySelectorAll('*:not(.katex *)')].flatMap((each) => [each.localName, ...each.getAttributeNames().map((name) => '@' + name)]))]`,
  )) as string[];
  found.push(
    ...names.filter((name) =>
      /^(?:iframe|object|embed|base|frame|foreignobject|@on.*|@srcdoc|@style|@formaction|@ping)$/.test(name),
    ),
  );
  const scripts = (await page.evaluate(`[...document.scripts].map(({ src }) => src).join()`)) as string;
  if (!/^[^,]*\/~\/assets\/script-[\w-]+\.js$/.test(scripts)) found.push(`has the scripts ${scripts}`);
  const answers404 = page.complaints.filter((text) => !/status of 404/.test(text));
  return [...found, ...answers404];
}

/** The errors that a reader of HTML finds in the syntax of a text. */
function syntaxErrorsIn(html: string): string[] {
  const errors: string[] = [];
  parse(html, {
    onParseError: ({ code, startOffset }) =>
      errors.push(`${code} at ${html.slice(startOffset, startOffset + 40)}`),
  });
  return errors;
}

const perTest = 6;
const groups = Array.from({ length: Math.ceil(attacks.length / perTest) }, (_, group) =>
  attacks.map((_attack, index) => index).slice(group * perTest, (group + 1) * perTest),
);

describe('attacks in all texts of a site', () => {
  it.for(groups)(
    'run no script and request no other host in a browser, on the pages %s',
    async (indices, { page, server, url }) => {
      for (const index of indices) {
        const path = index === 0 ? '' : `/attack-${index}`;
        const { status, text } = await server.get(url + path);
        expect([path, status, syntaxErrorsIn(text)]).toEqual([path, 200, []]);
        expect([path, await misdeedsAt(page, url + path)]).toEqual([path, []]);
      }
    },
  );

  it('run no script in messages, search results and other parts', async ({ page, url, server }) => {
    for (const path of ['/nowhere', '/second', '/other', `/group/a%22b'c%3Cd`, '/~/search?q=fruit'])
      expect([path, await misdeedsAt(page, new URL(url + path).href)]).toEqual([path, []]);
    for (const attack of attacks) {
      const { text } = await server.get(`${url}/~/search?q=${encodeURIComponent(cut(attack))}`);
      expect(syntaxErrorsIn(text)).toEqual([]);
    }
  });

  it('leave XML and JSON well-formed', async ({ page, server, url }) => {
    await page.goto('about:blank');
    for (const path of [
      '/sitemap.xml',
      '/rss.xml',
      ...attacks.map((_, index) => `/attack-${index}/rss.xml`),
    ]) {
      const { status, text } = await server.get(url + path.replace('/attack-0', ''));
      const problem = await page.evaluate(
        `new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml').querySelector('parsererror')?.textContent`,
      );
      expect([path, status, problem]).toEqual([path, 200, undefined]);
    }
    const { text: list } = await server.get(`${url}/llms.txt`);
    // One line a page, whatever its title is.
    expect(list.match(/^- /gm)?.length).toBe(attacks.length + 3);
    for (const query of ['fruit', 'script', 'x'])
      JSON.parse((await server.get(`${url}/~/search.json?q=${query}`)).text);
  });

  it('redirect to no script', async ({ server, url }) => {
    for (const index of attacks.keys()) {
      const { status, headers } = await server.get(`${url}/listed-${index}`);
      expect([index, status]).toEqual([index, expect.toBeOneOf([307, 404])]);
      expect(headers.location ?? 'https://x').toMatch(/^https?:/);
    }
  });
});

/** Shown to nobody, whatever stands behind it. */
const conditional = '{% if visitor.claims.nothing %}\n\ncanary\n\n{% endif %}';
/** Layout has 10 seconds, and parsing comes before it; the machine may be busy. */
const maxMs = 30_000;

describe('texts that are slow to read', () => {
  it('render as a page of bounded size in bounded time, without conditional content', async ({
    organization,
    server,
    hostname,
  }) => {
    const texts = pageTexts.filter((_text, index) => index % 5 === 3);
    const pages = texts.map(({ name, of }, index) => ({
      title: name,
      path: `slow-${index}`,
      source: `# x\n\n${conditional}\n\n${of(6_000)}\n\n${conditional}`,
    }));
    const space = await publishPages(await buildSpace(organization), pages);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const at = `/${hostname}/${site.basename}`;
    for (const [index, { title, path }] of pages.entries())
      for (const address of [index === 0 ? at : `${at}/${path}`, `${at}/${path}.md`]) {
        const begin = performance.now();
        const { status, text } = await server.ask(address);
        const ms = Math.round(performance.now() - begin);
        // The Markdown of some would be too long.
        expect([title, status, ms < maxMs, text.length < 5_100_000]).toEqual([
          ...[title, address.endsWith('.md') ? expect.toBeOneOf([200, 404]) : 200, true, true],
        ]);
        if (process.env['BINDERY_HOSTILE_TIMES']) console.log(`${title} ${address} ${ms} ms, ${text.length}`);
        // Where a text left a block of code open, what stands behind it is code.
        expect([title, text.split('canary').length - 1]).toEqual([title, expect.toBeOneOf([0, 1])]);
      }
  });
});
