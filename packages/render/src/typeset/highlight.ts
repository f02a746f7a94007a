import type { CodeToken } from '@bindery/dialect';
import { createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { bundledThemes } from 'shiki/themes';
import { themeName, tokenClasses } from './tokenColors.ts';

// No limit of time for a line: the first one compiles its grammar, which takes longer on a busy machine, and
// a page must look the same each time. typesetter.ts ends a thread that takes far too long.
const limits = { tokenizeMaxLineLength: 20_000, tokenizeTimeLimit: 0 };

let shared: Promise<HighlighterCore> | undefined;

/**
 * Splits code into lines of coloured tokens. Loads the grammar of a language with its first code.
 * @returns undefined for an unknown language, and for code that its grammar cannot read
 */
export async function highlight(code: string, language: string): Promise<CodeToken[][] | undefined> {
  const grammar = Object.hasOwn(bundledLanguages, language)
    ? bundledLanguages[language as keyof typeof bundledLanguages]
    : undefined;
  if (!grammar) return undefined;
  // The engine in WebAssembly takes a fifth of the time of the one in JavaScript.
  shared ??= createHighlighterCore({
    themes: [bundledThemes[themeName]],
    langs: [],
    engine: createOnigurumaEngine(import('shiki/wasm')),
  });
  try {
    const highlighter = await shared;
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
    else tokens.push({ text: content, color });
  }
  return tokens;
}
