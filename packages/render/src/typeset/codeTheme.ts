import { normalizeTheme } from 'shiki/core';
import { bundledThemes } from 'shiki/themes';

/** The scope of a grammar whose colour a theme gives to each class of tokens. */
const scopes = {
  't-comment': 'comment.line',
  't-keyword': 'keyword.control',
  't-constant': 'constant.numeric',
  't-string': 'string.quoted.double',
  't-tag': 'entity.name.tag',
  't-function': 'entity.name.function',
  't-variable': 'variable.parameter',
  't-deleted': 'markup.deleted',
} as const;

/** A class of tokens in highlighted code. */
export type TokenClass = keyof typeof scopes;

/** The colours of a theme as `#rrggbb`, without their opacity. A token without one has that of plain text. */
export type CodeTheme = {
  background: string;
  text: string;
  tokens: Partial<Record<TokenClass, string>>;
};

type Rule = { scope?: string | string[]; settings?: { foreground?: string } };

/** The theme with this name; undefined for one that the highlighter does not have. */
export async function codeThemeOf(name: string): Promise<CodeTheme | undefined> {
  if (!Object.hasOwn(bundledThemes, name)) return undefined;
  const { default: raw } = await bundledThemes[name as keyof typeof bundledThemes]();
  const { bg, fg, settings } = normalizeTheme(raw);
  const [background, text] = [hexOf(bg), hexOf(fg)];
  if (background === undefined || text === undefined) return undefined;
  const tokens = Object.entries(scopes).map(([token, scope]) => [token, colorOf(scope, settings)]);
  return { background, text, tokens: Object.fromEntries(tokens) as CodeTheme['tokens'] };
}

/** The colour of the rule that says most about a scope; the last of several that say as much. */
function colorOf(scope: string, rules: readonly Rule[]): string | undefined {
  let [best, length] = [undefined as string | undefined, 0];
  for (const { scope: named = [], settings } of rules) {
    const color = hexOf(settings?.foreground);
    if (color === undefined) continue;
    for (const one of [named].flat().flatMap((list) => list.split(',').map((part) => part.trim()))) {
      const isMatch = one !== '' && (scope === one || scope.startsWith(`${one}.`));
      if (isMatch && one.length >= length) [best, length] = [color, one.length];
    }
  }
  return best;
}

function hexOf(color = ''): string | undefined {
  const [, long, short] = /^#(?:([\da-f]{6})(?:[\da-f]{2})?|([\da-f]{3})[\da-f]?)$/i.exec(color) ?? [];
  if (long !== undefined) return `#${long.toLowerCase()}`;
  return short === undefined
    ? undefined
    : `#${[...short.toLowerCase()].map((digit) => digit + digit).join('')}`;
}
