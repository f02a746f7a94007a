import { pseudoLocaleEngine, type Engine } from '@bindery/engines';
import { expect, it } from 'vitest';
import { chooseEngine } from './chooseEngine.ts';

/** An engine that can translate these pairs, such as `en-es`. */
const engineOf = (name: string, ...pairs: string[]): Engine => ({
  ...pseudoLocaleEngine,
  name,
  route: ({ source, target }) => (pairs.includes(`${source}-${target}`) ? [source, target] : undefined),
});

it('takes the first engine that can translate the pair', () => {
  const engines = [engineOf('one', 'en-es'), engineOf('two', 'en-es', 'en-ja'), pseudoLocaleEngine];
  const chosen = (target: string) => chooseEngine(engines, { source: 'en', target }).engine.name;
  expect([chosen('es'), chosen('ja'), chosen('ar')]).toEqual(['one', 'two', 'pseudo-locale']);
});

it('refuses a pair that no engine can translate, and names engines that could', () => {
  const engines = [engineOf('one', 'en-es'), engineOf('deepl', 'en-de')];
  const chosen = (target: string) => () => chooseEngine(engines, { source: 'en', target });
  expect(chosen('fr')).toThrow(
    expect.objectContaining({
      code: 'unsupported_language',
      message: 'None of the configured engines (one, deepl) can translate en into fr.',
      action:
        'Configure one that could (apertium, apy, libretranslate, openai), and run the translation again.',
    }),
  );
  expect(chosen('ja')).toThrow(
    expect.objectContaining({
      action: expect.stringMatching(/ could \(libretranslate, openai\)/),
    }),
  );
});
