import { markdownToDocument } from '@bindery/dialect';
import { afterEach, describe, expect } from 'vitest';
import { startApyService } from '../../support/translation/engines/apyService.ts';
import { chatKey, chatModel, startChatService } from '../../support/translation/engines/chatService.ts';
import { deeplKey, startDeeplService } from '../../support/translation/engines/deeplService.ts';
import {
  libretranslateKey,
  startLibretranslateService,
} from '../../support/translation/engines/libretranslateService.ts';
import type { TestService } from '../../support/translation/engines/testService.ts';
import { transliterated } from '../../support/translation/engines/transliterated.ts';
import { startApp, type AppProcess } from '../../support/processes/appProcess.ts';
import { it as base } from '../../support/translation/translating.ts';

/** `work` starts a worker process, which ends with the test. */
const it = base
  .extend('isWorkerHere', { scope: 'file' }, false)
  .extend('work', ({ api: _started }, { onCleanup }) => async (environment: NodeJS.ProcessEnv) => {
    const app = await startApp('worker-translation', { ...process.env, LOG_LEVEL: 'trace', ...environment });
    onCleanup(async () => {
      app.signal('SIGTERM');
      expect(await app.ended).toBe(0);
    });
    return app;
  });

type Started = { service: TestService; environment: NodeJS.ProcessEnv; secret: string };

const engines: Record<string, { language: string; start(): Promise<Started> }> = {
  apy: {
    language: 'de',
    async start() {
      const service = await startApyService();
      return { service, environment: { BINDERY_APY_URL: service.url }, secret: 'no key at all' };
    },
  },
  deepl: {
    language: 'ja',
    async start() {
      const service = await startDeeplService();
      const environment = { BINDERY_DEEPL_URL: service.url, BINDERY_DEEPL_KEY: deeplKey };
      return { service, environment, secret: deeplKey };
    },
  },
  libretranslate: {
    language: 'ar',
    async start() {
      const service = await startLibretranslateService();
      const environment = {
        BINDERY_LIBRETRANSLATE_URL: `${service.url}/`,
        BINDERY_LIBRETRANSLATE_KEY: libretranslateKey,
      };
      return { service, environment, secret: libretranslateKey };
    },
  },
  openai: {
    language: 'de',
    async start() {
      const service = await startChatService();
      const environment = {
        BINDERY_OPENAI_URL: service.url,
        BINDERY_OPENAI_KEY: chatKey,
        BINDERY_OPENAI_MODEL: chatModel,
      };
      return { service, environment, secret: chatKey };
    },
  },
};

const guide = `Read **the first page** of [the manual](manual.md), then run \`npm start\`.

{% hint style="info" %}
A hint with 3 steps: write <b>5 &lt; 6</b> and &amp;amp; there.
{% endhint %}

| Name | Meaning |
| ---- | ------- |
| one  | _First_ ![a cat](cat.png) |
`;

describe('a run of the worker with a service', { timeout: 120_000 }, () => {
  let started: Started | undefined;
  let app: AppProcess | undefined;
  afterEach(async () => {
    for (const line of app?.lines ?? []) expect(line).not.toContain(started?.secret);
    await started?.service.close();
  });

  it.for(Object.entries(engines))(
    '%s keeps placeholders, and translates no text twice',
    async ([engine, { language, start }], { work, translated, ended, call }) => {
      started = await start();
      app = await work({ BINDERY_TRANSLATION_ENGINES: engine, ...started.environment });
      const pages = [{ id: 'guide', title: 'Guide', source: guide }];
      const one = await translated(pages, { language });
      expect(one.first).toMatchObject({ state: 'succeeded', result: { engine }, stats: { kept: 0 } });
      const into = (text: string) => transliterated(text, language);
      const { item, text } = await one.page('guide');
      expect(item?.title).toBe(into('Guide'));
      expect(text).toContain(
        `${into('Read')} **${into('the first page')}** ${into('of')} [${into('the manual')}](manual.md)`,
      );
      expect(text).toContain('`npm start`');
      expect(text).toContain(`{% hint style="info" %}\n${into('A hint with')} 3 ${into('steps')}`);
      expect(text).toContain(`![${into('a cat')}](cat.png)`);
      const { calls } = started.service;
      calls.length = 0;
      const again = await call('POST', `/${one.id}/run`);
      expect(await ended(again.headers.get('x-job-id'))).toMatchObject({ result: { unchanged: true } });
      expect(calls).toEqual([]);
    },
  );

  it('goes on where it stopped when the quota was used up', async ({ work, translated, call, ended }) => {
    const { start } = engines.deepl as (typeof engines)[string];
    started = await start();
    app = await work({ BINDERY_TRANSLATION_ENGINES: 'deepl', ...started.environment });
    const { calls, faults } = started.service;
    faults.push((answers) => answers, { status: 456 });
    const paragraphs = Array.from({ length: 89 }, (_, index) => `Paragraph number ${index}.`);
    const one = await translated([{ id: 'page', title: 'Page', source: `${paragraphs.join('\n\n')}\n` }], {
      language: 'ja',
    });
    expect(one.first).toMatchObject({ state: 'failed', error: { code: 'quota' } });
    expect(JSON.stringify(one.first)).not.toContain(deeplKey);
    const sizes = () => calls.map(({ body }) => (JSON.parse(body) as { text: string[] }).text.length);
    expect(sizes()).toEqual([50, 40]);
    calls.length = 0;
    const again = await call('POST', `/${one.id}/run`);
    expect(await ended(again.headers.get('x-job-id'))).toMatchObject({ state: 'succeeded' });
    expect(sizes()).toEqual([40]);
  });

  it('waits for the Retry-After time of a service, and fails at once when its key is refused', async ({
    work,
    translated,
  }) => {
    const { start } = engines.deepl as (typeof engines)[string];
    started = await start();
    app = await work({ BINDERY_TRANSLATION_ENGINES: 'deepl', ...started.environment });
    const { calls, faults } = started.service;
    const pages = [{ id: 'page', title: 'Page', source: 'Text.\n' }];
    faults.push({ status: 429, headers: { 'retry-after': '2' } });
    const waited = await translated(pages, { language: 'ja' });
    expect(waited.first).toMatchObject({ state: 'succeeded', stats: { kept: 0 } });
    expect(calls).toHaveLength(2);
    faults.push({ status: 403 });
    const refused = await translated(pages, { language: 'de' });
    expect(refused.first).toMatchObject({
      state: 'failed',
      error: { code: 'auth', action: expect.stringContaining('BINDERY_DEEPL_KEY') },
    });
    expect(calls).toHaveLength(3);
  });

  it('sends the instructions and the glossary terms to a language model', async ({
    work,
    translated,
    api,
    organization,
    admin,
  }) => {
    const { start } = engines.openai as (typeof engines)[string];
    started = await start();
    app = await work({ BINDERY_TRANSLATION_ENGINES: 'openai', ...started.environment });
    const glossary = await api.call('PUT', `/v1/orgs/${organization._id}/translations-glossary`, {
      token: admin.token,
      json: {
        operations: [{ type: 'insert', translations: { en: 'widget', de: transliterated('widget', 'de') } }],
      },
    });
    expect(glossary.status, glossary.text).toBe(204);
    const one = await translated([{ id: 'page', title: 'Page', source: 'One widget.\n' }], {
      language: 'de',
      instructions: markdownToDocument('Say **du**.\n'),
    });
    expect(one.first).toMatchObject({ state: 'succeeded', stats: { kept: 0 } });
    const prompts = started.service.calls.map(({ body }) => body).join('\n');
    expect(prompts).toContain('Say **du**.');
    expect(prompts).toContain(String.raw`{\"source\":\"widget\"`);
  });
});
