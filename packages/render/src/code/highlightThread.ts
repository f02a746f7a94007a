import { parentPort } from 'node:worker_threads';
import { createHighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { bundledThemes } from 'shiki/themes';
import type { CodeToken } from '@bindery/dialect';
import type { HighlightResult, HighlightTask } from './highlighter.ts';
import { themeName, tokenClasses } from './tokenColors.ts';

// A grammar can take long for a line that its author did not think of; the rest of that line is plain then.
const limits = { tokenizeMaxLineLength: 20_000, tokenizeTimeLimit: 500 };

const highlighter = await createHighlighterCore({
  themes: [bundledThemes[themeName]],
  langs: [],
  engine: createOnigurumaEngine(import('shiki/wasm')),
});

parentPort?.on('message', ({ code, language }: HighlightTask) => {
  void highlight(code, language).then((lines) =>
    parentPort?.postMessage({ lines } satisfies HighlightResult),
  );
});
parentPort?.postMessage({ isReady: true } satisfies HighlightResult);

/** @returns undefined for an unknown language, and for code that its grammar cannot read */
async function highlight(code: string, language: string): Promise<CodeToken[][] | undefined> {
  const grammar = Object.hasOwn(bundledLanguages, language)
    ? bundledLanguages[language as keyof typeof bundledLanguages]
    : undefined;
  if (!grammar) return undefined;
  try {
    await highlighter.loadLanguage(grammar);
    const lines = highlighter.codeToTokensBase(code, { lang: language, theme: themeName, ...limits });
    return lines.map((line) => joined(line));
  } catch {
    return undefined;
  }
}

/** Joins neighbours of one colour. */
function joined(line: readonly { content: string; color?: string }[]): CodeToken[] {
  const tokens: CodeToken[] = [];
  for (const { content, color: hex } of line) {
    const color = tokenClasses.get((hex ?? '').toLowerCase());
    const last = tokens.at(-1);
    if (last && (last.color === color || content.trim() === '')) last.text += content;
    else tokens.push({ text: content, ...(color !== undefined && { color }) });
  }
  return tokens;
}
