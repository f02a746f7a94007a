import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { buildSpec, buildSpecVersion } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { findTestChromium } from '../../support/pdf/chromium.ts';
import { startTestBrowser } from '../../support/testBrowser.ts';
import { until } from '../../support/until.ts';

const { executable, missing } = await findTestChromium();

/** A page with all that it asked for. */
type Opened = { page: Page; requests: string[]; errors: string[] };

const it = base
  // An API of its own: other files may have left the shared one no connection for a browser.
  .extend('environment', { scope: 'file' }, { LOG_LEVEL: 'info' })
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { browser, close } = await startTestBrowser(executable);
    onCleanup(close);
    return browser;
  })
  /** Another host, which answers all requests and notes them: no interception sees every one. */
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('elsewhere', { scope: 'file' }, async ({}, { onCleanup }) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('Access-Control-Allow-Origin', '*').end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onCleanup(() => void server.close());
    return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  })
  .extend(
    'openReference',
    ({ api, organization, browser }) =>
      async (document: { paths: object }, query = ''): Promise<Opened> => {
        const spec = await buildSpec(organization, { visibility: 'public' });
        await buildSpecVersion(spec, { text: JSON.stringify(document) });
        const page = await browser.newPage();
        const requests: string[] = [];
        const errors: string[] = [];
        await page.setRequestInterception(true);
        page.on('request', (request) => {
          requests.push(request.url());
          void request.continue();
        });
        page.on('pageerror', (error) => errors.push(String(error)));
        await page.evaluateOnNewDocument(noteViolations);
        await page.goto(`${api.origin}/v1/openapi/${spec._id}/reference${query}`);
        return { page, requests, errors };
      },
  );

const noteViolations = `globalThis.violations = [];
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  violations.push({ effectiveDirective, blockedURI }));`;

type Violation = { effectiveDirective: string; blockedURI: string };

const violationsOf = async (page: Page) => (await page.evaluate('violations')) as Violation[];
const textOf = async (page: Page) => (await page.evaluate('document.body.innerText')) as string;

async function untilShown(page: Page, operations: number): Promise<void> {
  const count = async () => (await page.$$('.opblock')).length === operations;
  await until('all operations are shown', count, { timeoutMs: bound(60_000) });
}

type Document = { paths: Record<string, Record<string, unknown>> };

function readDocument(path: string): Document {
  return JSON.parse(readFileSync(`node_modules/${path}`, 'utf8')) as Document;
}

function operationsOf({ paths }: Document): string[] {
  const methods = ['get', 'post', 'put', 'delete', 'options', 'head', 'patch', 'trace'];
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method] !== undefined).map(() => path),
  );
}

describe.skipIf(missing)('the page of a public specification', () => {
  it.for([
    '@readme/oas-examples/2.0/json/petstore.json',
    '@readme/oas-examples/3.0/json/petstore.json',
    '@readme/oas-examples/3.1/json/petstore.json',
    'rclone-openapi/openapi.json',
  ])(
    'shows each operation of %s, and violates no rule of its content security policy',
    async (path, { api, openReference }) => {
      const document = readDocument(path);
      const operations = operationsOf(document);
      const { page, requests, errors } = await openReference(document);
      await untilShown(page, operations.length);
      await page.waitForNetworkIdle();
      const text = (await textOf(page)).replaceAll('\u200B', '');
      expect(operations.filter((operation) => !text.includes(operation))).toEqual([]);
      expect(errors).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(api.origin) && !url.startsWith('data:'))).toEqual([]);

      await page.click('.opblock-summary-control');
      await page.waitForSelector('.opblock-body');
      // Both would send something to the hosts that the document names.
      expect(await textOf(page)).not.toMatch(/Try it out|Authorize/);
      expect(await violationsOf(page)).toEqual([]);
      await page.close();
    },
  );

  it('contacts no other host and runs no code, whatever the document contains', async ({
    api,
    elsewhere,
    openReference,
  }) => {
    const { origin } = elsewhere;
    const document = hostileDocument(origin);
    const query = `?url=${origin}/url.json&configUrl=${origin}/config.json`;
    const { page, requests, errors } = await openReference(document, query);
    await untilShown(page, 1);
    await page.click('.opblock-summary-control');
    await page.waitForSelector('.opblock-body .response');
    for (const button of await page.$$('.json-schema-2020-12-accordion')) await button.click();
    await page.waitForNetworkIdle();

    expect(elsewhere.asked).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(api.origin) && !url.startsWith('data:'))).toEqual([]);
    expect(requests.filter((url) => url.startsWith(api.origin)).length).toBe(5);
    expect(errors).toEqual([]);
    expect(await page.title()).toBe('Pets');
    // The page would have loaded them, had the policy not stopped it.
    const blocked = (await violationsOf(page)).map(({ blockedURI }) => blockedURI);
    expect(blocked).toEqual(expect.arrayContaining([`${origin}/image.png`, `${origin}/path.json`]));
    const links = (
      await page.$$eval('a[href]', (all) => all.map((link) => link.getAttribute('href')))
    ).filter((href) => !/^(#|mailto:|about:blank$|https?:|openapi\.json$)/.test(href ?? ''));
    expect(links).toEqual([]);
    const forbidden = 'iframe, form, object, base, meta[http-equiv], [onerror], [onload], [style*="url("]';
    expect(await page.$$eval(forbidden, (all) => all.map(({ outerHTML }) => outerHTML))).toEqual([]);
    expect(await textOf(page)).toContain('/pets');
    await page.close();
  });
});

/** Everything in it leads to the origin, or sets the title of the page. */
function hostileDocument(origin: string): Document {
  const script = "document.title='ran'";
  const link = `javascript:${script}`;
  const description = [
    `<script>${script}</script><script src="${origin}/script.js"></script>`,
    `<img src=x onerror="${script}"><svg onload="${script}"></svg><input autofocus onfocus="${script}">`,
    `<img src="${origin}/image.png"><video src="${origin}/video.mp4" poster="${origin}/poster.png"></video>`,
    `<iframe src="${origin}/frame"></iframe><object data="${origin}/object"></object>`,
    `<link rel="stylesheet" href="${origin}/link.css"><link rel="dns-prefetch" href="${origin}">`,
    `<style>@import '${origin}/import.css';</style><p style="background: url(${origin}/background.png)">p</p>`,
    `<meta http-equiv="refresh" content="0;url=${origin}/refresh"><base href="${origin}">`,
    `<form action="${origin}/form"><button>Send</button></form><a href="${link}" ping="${origin}/ping">a</a>`,
    '',
    `![image](${origin}/markdown.png) [link](${link}) <${link}>`,
  ].join('\n');
  const externalDocs = { url: link, description };
  const schema = { $ref: `${origin}/schema.json#/a` };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pets',
      version: '1',
      description,
      termsOfService: link,
      contact: { name: 'a', url: link, email: 'a@b.example' },
      license: { name: 'a', url: link },
    },
    externalDocs,
    servers: [{ url: `${origin}/api`, description }],
    tags: [{ name: 'pets', description, externalDocs }],
    paths: {
      '/pets': {
        get: {
          tags: ['pets'],
          summary: description,
          description,
          externalDocs,
          parameters: [{ name: 'a', in: 'query', description, schema }],
          responses: {
            200: {
              description,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
              links: { a: { operationRef: `${origin}/link.json`, description } },
            },
          },
        },
      },
      '/elsewhere': { $ref: `${origin}/path.json` },
    },
    components: {
      schemas: { Pet: { description, externalDocs, properties: { a: { ...schema, description } } } },
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          description,
          flows: { implicit: { authorizationUrl: `${origin}/a`, scopes: {} } },
        },
        openId: { type: 'openIdConnect', openIdConnectUrl: `${origin}/.well-known/openid-configuration` },
      },
    },
    security: [{ oauth: [] }, { openId: [] }],
  } as Document;
}
