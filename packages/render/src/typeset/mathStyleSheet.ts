import { readFileSync } from 'node:fs';

let withFonts: string | undefined;

/** Returns the style sheet of formulas with its fonts, 380 kB. For pages with `hasMath` only. */
export function mathStyleSheet(): string {
  withFonts ??= writeMathStyleSheet(embeddedFont);
  return withFonts;
}

/** The address of a font (woff2) that is part of a style sheet. */
export function embeddedFont(font: URL): string {
  return `data:font/woff2;base64,${readFileSync(font).toString('base64')}`;
}

/**
 * Writes the style sheet of formulas, 24 kB without its fonts.
 *
 * @param addressOf  the address of a font in the style sheet, by its file (woff2)
 */
export function writeMathStyleSheet(addressOf: (font: URL) => string): string {
  return readFileSync(fileOf('katex.min.css'), 'utf8').replaceAll(
    /src:url\((fonts\/[\w-]+\.woff2)\)[^;}]*/g,
    (_, font: string) => `src:url(${addressOf(fileOf(font))}) format("woff2")`,
  );
}

function fileOf(name: string): URL {
  return new URL(import.meta.resolve(`katex/dist/${name}`));
}
