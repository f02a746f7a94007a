import type { LanguagePair } from '../engine.ts';

const sources: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'en fr de es it pt ru ja zh ko ar nl pl tr sv da fi el cs hu ro th vi id he uk sk bg lt lv et sl'
      .split(' ')
      .map((code) => [code, code.toUpperCase()]),
  ),
  no: 'NB',
  'pt-br': 'PT',
  'zh-tw': 'ZH',
};

/** Targets of which DeepL wants to know the variant. */
const targets: Readonly<Record<string, string>> = {
  en: 'EN-US',
  pt: 'PT-PT',
  'pt-br': 'PT-BR',
  zh: 'ZH-HANS',
  'zh-tw': 'ZH-HANT',
};

/** The codes of DeepL for a pair of languages; undefined for one that it cannot translate. */
export function deeplLanguages({ source, target }: LanguagePair): LanguagePair | undefined {
  const from = sources[source];
  const into = targets[target] ?? sources[target];
  return from && into && source !== target ? { source: from, target: into } : undefined;
}
