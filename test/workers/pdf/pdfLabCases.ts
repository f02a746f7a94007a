// Run inside the network lab: pages that try everything to reach the canaries, with all layers and with each
// network layer alone, scripts allowed.
import { Chromium } from '../../../apps/worker-pdf/src/browser/chromium.ts';
import { chromiumFlags, networkFlags } from '../../../apps/worker-pdf/src/browser/chromiumFlags.ts';
import { createBrowsers } from '../../../apps/worker-pdf/src/browser/createBrowsers.ts';
import { startLab } from '../../support/lab/lab.ts';
import { bound } from '../../support/machine.ts';
import { silentLogger } from '../../support/pdf/silentLogger.ts';

/** Some of the canaries never answer what they are asked; a request that will be sent is sent by then. */
const patienceMs = 5_000;
const executable = process.argv[2]!;
const settings = { executable, memoryMb: 1_000, logger: silentLogger };
const canaries = ['127.0.0.1', '10.0.0.5', '169.254.169.254', '[::1]', 'loop.test', 'meta.test'];

/** Each asks for an address in another way. */
const tricks: ((url: string) => string)[] = [
  (url) => `<img alt="" src="${url}">`,
  (url) => `<img alt="" srcset="${url} 2x">`,
  (url) => `<picture><source srcset="${url}"><img alt="" src="${url}"></picture>`,
  (url) => `<link rel="stylesheet" href="${url}">`,
  (url) => `<link rel="prefetch" href="${url}">`,
  (url) => `<link rel="preload" as="image" href="${url}">`,
  (url) => `<link rel="preconnect" href="${url}">`,
  (url) => `<link rel="dns-prefetch" href="${url}">`,
  (url) => `<link rel="modulepreload" href="${url}">`,
  (url) => `<link rel="icon" href="${url}">`,
  (url) => `<link rel="manifest" href="${url}">`,
  (url) => `<iframe src="${url}"></iframe>`,
  (url) => `<iframe srcdoc="<img src='${url}'>"></iframe>`,
  (url) => `<object data="${url}"></object>`,
  (url) => `<embed src="${url}">`,
  (url) => `<video src="${url}" poster="${url}" autoplay></video>`,
  (url) => `<audio src="${url}" autoplay></audio><track src="${url}">`,
  (url) => `<style>@import url("${url}");</style>`,
  (url) => `<style>@font-face{font-family:x;src:url("${url}")} p{font-family:x}</style><p>x</p>`,
  (url) => `<p style="background:url('${url}')">x</p>`,
  (url) => `<svg><image href="${url}"/><use href="${url}#a"/></svg>`,
  (url) => `<a href="${url}" ping="${url}">x</a><base href="${url}"><img alt="" src="relative.png">`,
  (url) => `<form action="${url}"><input type="image" src="${url}"></form>`,
  (url) => `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${url}"]}]}</script>`,
  (url) =>
    `<script>fetch("${url}");new Image().src="${url}";navigator.sendBeacon("${url}");new WebSocket("${url}".replace("http","ws"));new EventSource("${url}");document.write('<script src="${url}"><\\/script>')</script>`,
];
const urls = canaries.map((host) => `http://${host}/`);
const pages = tricks.map((trick) => urls.map(trick).join('\n'));
const redirects = urls.map((url) => `<meta http-equiv="refresh" content="0;url=${url}">`);

const lab = await startLab();
await lab.touchCanaries();
const touched = lab.hits();
const hitsOf = (before: Record<string, number>) =>
  Object.values(lab.hits()).reduce((sum, count) => sum + count, 0) -
  Object.values(before).reduce((sum, count) => sum + count, 0);

process.stdout.write(
  JSON.stringify({
    canaries: Object.values(touched).every((count) => count > 0),
    withAll: await hitsWithAll(),
    // Shows that the pages would reach the canaries.
    withNone: await hitsWithFlags([...networkFlags.resolver, ...networkFlags.proxy]),
    withResolverRules: await hitsWithFlags(networkFlags.proxy),
    withProxy: await hitsWithFlags(networkFlags.resolver),
  }),
);

/** As a worker prints them. */
async function hitsWithAll(): Promise<{ hits: number; printed: number; outcomes: string[] }> {
  const before = lab.hits();
  const browsers = await createBrowsers(settings);
  let printed = 0;
  const outcomes = new Set<string>();
  for (const html of [...pages, ...redirects]) {
    const book = await browsers.openBook(new AbortController().signal);
    try {
      const chunk = await book.load({ html: `<!doctype html><title>x</title>${html}`, deadlineMs: 60_000 });
      await chunk.print();
      printed += 1;
    } catch (error) {
      outcomes.add(String((error as { code?: string }).code));
    }
    book.close();
  }
  await browsers.close();
  return { hits: hitsOf(before), printed, outcomes: [...outcomes] };
}

/** With scripts, without interception and without these flags. */
async function hitsWithFlags(without: readonly string[]): Promise<number> {
  const before = lab.hits();
  const flags = chromiumFlags.filter((flag) => !without.includes(flag));
  const chromium = await Chromium.start(settings, flags);
  await Promise.all(
    [...pages, ...redirects].map(async (html) => {
      const page = await chromium.browser.newPage();
      await page
        .goto(`data:text/html,${encodeURIComponent(html)}`, { timeout: Math.min(bound(patienceMs), 30_000) })
        .catch(() => {});
    }),
  );
  await chromium.end();
  return hitsOf(before);
}
