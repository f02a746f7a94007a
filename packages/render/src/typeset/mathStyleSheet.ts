import { readFileSync } from 'node:fs';

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
