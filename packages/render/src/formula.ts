import { readFileSync } from 'node:fs';
import katex from 'katex';

/** Longer TeX is shown as its source. */
const maxCharacters = 5_000;

/**
 * Typesets TeX as HTML, hidden from nobody: KaTeX marks it as hidden in favour of MathML, which no PDF has.
 * @returns undefined for TeX that it cannot read, or that would take too much
 */
export function typeset(tex: string, display: 'block' | 'inline'): string | undefined {
  if (tex.trim() === '' || tex.length > maxCharacters) return undefined;
  try {
    const html = katex.renderToString(tex, {
      displayMode: display === 'block',
      output: 'html',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 200,
      maxSize: 20,
    });
    return html.replaceAll(' aria-hidden="true"', '');
  } catch {
    // Also a stack that deep nesting exceeds.
    return undefined;
  }
}

let sheet: string | undefined;

/** Returns the style sheet of formulas with its fonts, 380 kB. For pages with `hasMath` only. */
export function mathStyleSheet(): string {
  sheet ??= readFileSync(fileOf('katex.min.css'), 'utf8').replaceAll(
    /src:url\(fonts\/([\w-]+)\.woff2\)[^;}]*/g,
    (_, font: string) => {
      const data = readFileSync(fileOf(`fonts/${font}.woff2`)).toString('base64');
      return `src:url(data:font/woff2;base64,${data}) format("woff2")`;
    },
  );
  return sheet;
}

function fileOf(name: string): URL {
  return new URL(import.meta.resolve(`katex/dist/${name}`));
}
