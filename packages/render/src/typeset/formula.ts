import katex from 'katex';

/**
 * Typesets TeX as HTML, hidden from nobody: KaTeX marks it as hidden in favour of MathML, which no PDF has.
 * @returns undefined for TeX that it cannot read, or that expands too much
 */
export function formulaHtml(tex: string, display: 'block' | 'inline'): string | undefined {
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
