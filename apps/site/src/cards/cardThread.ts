import { readFile } from 'node:fs/promises';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { answerRequests } from '@bindery/runtime/threads';

const scripts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];

const fileOf = async (path: string) => readFile(new URL(import.meta.resolve(path)));
await initWasm(await fileOf('@resvg/resvg-wasm/index_bg.wasm'));
const fontBuffers = await Promise.all(
  scripts.map(async (script) => fileOf(`@fontsource/fira-sans/files/fira-sans-${script}-500-normal.woff2`)),
);

/** `fonts`: the paths of further fonts. */
export type CardRequest = { svg: string; fonts: readonly string[] };

/** A few files of up to 10 MB, of the scripts that the sites use. */
const furtherFonts = new Map<string, Buffer>();

async function readFont(path: string): Promise<Buffer> {
  const font = furtherFonts.get(path) ?? (await readFile(path));
  furtherFonts.set(path, font);
  return font;
}

/** Draws an SVG of this app as PNG. It reads nothing that the SVG names. */
answerRequests(async ({ svg, fonts }: CardRequest): Promise<Uint8Array> => {
  const further = await Promise.all(fonts.map(readFont));
  const drawing = new Resvg(svg, {
    font: {
      fontBuffers: [...fontBuffers, ...further],
      defaultFontFamily: 'Fira Sans',
      loadSystemFonts: false,
    },
  });
  const picture = drawing.render();
  const bytes = picture.asPng();
  picture.free();
  drawing.free();
  return bytes;
});
