import { z } from 'zod';
import type { LanguagePair } from '../engine.ts';

export const Languages = z.array(z.object({ code: z.string(), targets: z.array(z.string()).default([]) }));

/** Its names of our languages, where they differ; older versions have the later ones. */
const names: Readonly<Record<string, readonly string[]>> = {
  no: ['nb', 'no'],
  'pt-br': ['pt-BR', 'pb'],
  zh: ['zh-Hans', 'zh'],
  'zh-tw': ['zh-Hant', 'zt'],
};

/** The codes of a pair, as the server names them; undefined for one that it does not have. */
export function codesOf(
  languages: z.infer<typeof Languages>,
  { source, target }: LanguagePair,
): LanguagePair | undefined {
  if (source === target) return undefined;
  for (const from of names[source] ?? [source]) {
    const targets = languages.find(({ code }) => code === from)?.targets ?? [];
    const into = (names[target] ?? [target]).find((code) => targets.includes(code));
    if (into !== undefined) return { source: from, target: into };
  }
  return undefined;
}
