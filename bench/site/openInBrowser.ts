import type { Browser, CDPSession, Page } from 'puppeteer-core';

/** A page as a browser without any cache loads it. Bytes are those on the wire, without images. */
export type Loaded = { bytes: number; requests: number; lcpMs: number; cls: number };

/** As Lighthouse's telephone: its processor, its network (1.6 Mbit/s, 150 ms) and its screen. */
const phone = {
  slowness: 4,
  network: { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 },
  screen: { width: 412, height: 823, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

/** @throws unless the page loads */
export async function openInBrowser(
  browser: Browser,
  url: string,
  { isPhone = false }: { isPhone?: boolean } = {},
): Promise<Loaded> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const session = await page.createCDPSession();
    if (isPhone) await becomePhone(page, session);
    await page.evaluateOnNewDocument(observer);
    const wire = await countBytes(session);
    const answer = await page.goto(url, { waitUntil: 'networkidle0' });
    if (!answer?.ok()) throw new Error(`${url} answered ${answer?.status()}.`);
    const seen = (await page.evaluate('({ lcpMs: lcpSeen, cls: shiftSeen })')) as Omit<
      Loaded,
      keyof typeof wire
    >;
    return { ...wire, ...seen };
  } finally {
    await context.close();
  }
}

const observer = `
  let lcpSeen = 0, shiftSeen = 0;
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { lcpSeen = startTime; });
  observe('layout-shift', ({ value }) => { shiftSeen += value; });
`;

async function becomePhone(page: Page, session: CDPSession): Promise<void> {
  await page.setViewport(phone.screen);
  await session.send('Emulation.setCPUThrottlingRate', { rate: phone.slowness });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', phone.network);
}

/** Counts from now on. */
async function countBytes(session: CDPSession): Promise<{ bytes: number; requests: number }> {
  const count = { bytes: 0, requests: 0 };
  const counted = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (type === 'Image' || !request.url.startsWith('http')) return;
    counted.add(requestId);
    count.requests += 1;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (counted.has(requestId)) count.bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return count;
}
