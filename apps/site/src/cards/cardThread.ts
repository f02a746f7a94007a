import { readFile } from 'node:fs/promises';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { answerRequests } from '@bindery/runtime/threads';

const scripts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];

const fileOf = async (path: string) => readFile(new URL(import.meta.resolve(path)));
await initWasm(await fileOf('@resvg/resvg-wasm/index_bg.wasm'));
const fontBuffers = await Promise.all(
  scripts.map(async (script) => fileOf(`@fontsource/fira-sans/files/fira-sans-${script}-500-normal.woff2`)),
);

/** Draws an SVG of this app as PNG. It reads nothing that the SVG names. */
answerRequests((svg: string): Uint8Array => {
  const drawing = new Resvg(svg, {
    font: { fontBuffers, defaultFontFamily: 'Fira Sans', loadSystemFonts: false },
  });
  const picture = drawing.render();
  const bytes = picture.asPng();
  picture.free();
  drawing.free();
  return bytes;
});
