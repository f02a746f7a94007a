import { createLogger, loadConfig } from '@bindery/runtime';
import { StartProblem } from '@bindery/worker';
import { describe, expect, it } from 'vitest';
import { openEngines } from './engines.ts';

const silent = createLogger({ log: { level: 'silent' } }, { app: 'test' });
const open = async (names: string, environment: NodeJS.ProcessEnv = {}) => {
  const { engines } = await openEngines(
    loadConfig({
      ...{ MONGODB_URI: 'mongodb://m', REDIS_URL: 'redis://r', BINDERY_SECRET_KEY: '0'.repeat(64) },
      ...environment,
      BINDERY_TRANSLATION_ENGINES: names,
    }),
    silent,
  );
  return engines[0]!;
};

describe('a translation service', () => {
  it.each([
    ['apy', {}, 'needs BINDERY_APY_URL'],
    ['deepl', {}, 'needs BINDERY_DEEPL_KEY'],
    ['libretranslate', {}, 'needs BINDERY_LIBRETRANSLATE_URL'],
    ['openai', {}, 'needs BINDERY_OPENAI_MODEL'],
    ['openai', { BINDERY_OPENAI_MODEL: 'model' }, 'needs BINDERY_OPENAI_KEY'],
    ['apy', { BINDERY_APY_URL: 'http://127.0.0.2:9' }, 'Apertium APy cannot be asked'],
    [
      'libretranslate',
      { BINDERY_LIBRETRANSLATE_URL: 'http://127.0.0.2:9' },
      'LibreTranslate cannot be asked',
    ],
    // One of our own services, here Redis.
    [
      'apy',
      { BINDERY_APY_URL: 'http://r:6379' },
      'to an address or port to which this server does not connect',
    ],
  ])('named %s does not open with %j, and gives the reason', async (engine, environment, message) => {
    const problem = await open(engine, environment).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(StartProblem);
    expect(problem).toMatchObject({
      message: expect.stringContaining(message),
      reason: expect.stringMatching(/[^.]$/),
    });
  });

  it.each([
    ['deepl', { BINDERY_DEEPL_KEY: 'key:fx' }],
    ['openai', { BINDERY_OPENAI_MODEL: 'model', BINDERY_OPENAI_KEY: 'key' }],
    ['openai', { BINDERY_OPENAI_MODEL: 'model', BINDERY_OPENAI_URL: 'http://ollama:11434/v1' }],
  ])('named %s opens with %j, without a request', async (name, environment) => {
    const engine = await open(name, environment);
    expect(engine.name).toBe(name);
    await engine.close();
  });
});
