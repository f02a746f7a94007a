import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { namedFonts, type FontName, type NamedFont } from './namedFonts.ts';
import { isSmallerFont, smallerFont } from './smallerFonts.ts';

/** A file of a font: the characters that it has, as its style sheet says, and its name with its hash. */
export type FontFile = { style: string; weight: string; range: string; name: string; location: URL };

/** The files of a named font. Browsers fetch only those that a text needs. */
export type FontFiles = { font: NamedFont; files: readonly FontFile[] };

/** Signs, such as the one of the menu, are not worth a file: they look the same in a font of the system. */
const notText = /-(?:math|symbols)-/;

/** Names and hashes only; the bytes stay on the disk, which the operating system keeps in free memory. */
const known = new Map<FontName, Promise<FontFiles>>();

/** Reads which files a font has, once. */
export async function fontFilesOf(name: FontName): Promise<FontFiles> {
  const found = known.get(name);
  if (found) return found;
  const read = readFontFiles(namedFonts[name]);
  known.set(name, read);
  read.catch(() => known.delete(name));
  return read;
}

/** The name of a file with the hash of its bytes, such as `KaTeX_Main-Regular-<hash>.woff2`. */
export function nameWithHash(location: URL, bytes: Uint8Array): string {
  const digest = hash('sha256', bytes, 'base64url').slice(0, 16);
  return `${basename(location.pathname, '.woff2')}-${digest}.woff2`;
}

/** The file of a font by its name, such as `inter-latin-wght-normal-<hash>.woff2`. */
export async function findFontFile(font: string, name: string): Promise<FontFile | undefined> {
  if (!Object.hasOwn(namedFonts, font)) return undefined;
  const { files } = await fontFilesOf(font as FontName);
  return files.find((file) => file.name === name);
}

async function readFontFiles(font: NamedFont): Promise<FontFiles> {
  const sheets = await Promise.all(
    font.sheets.map(async (sheet) => {
      const location = new URL(import.meta.resolve(`${font.from}/${sheet}`));
      return readSheet(await readFile(location, 'utf8'), location);
    }),
  );
  return { font, files: sheets.flat().filter(({ name }) => !notText.test(name)) };
}

/** Reads the faces in a style sheet of a package; each names one file of the type woff2. */
async function readSheet(css: string, location: URL): Promise<FontFile[]> {
  // Not linear: style sheets of packages, once each, 6 kB.
  const faces = [...css.matchAll(/@font-face \{([^}]*)\}/g)].map(([, face = '']) => face);
  return Promise.all(
    faces.map(async (face) => {
      // Not linear: one face in a style sheet of a package, 1 kB.
      const property = (name: string) => face.match(new RegExp(` ${name}: ([^;]*);`))?.[1] ?? '';
      // Not linear: the sources of one face, 200 characters.
      const path = property('src').match(/url\(([^)]*\.woff2)\)/)?.[1] ?? '';
      const own = basename(path);
      const file = isSmallerFont(own) ? smallerFont(own) : new URL(path, location);
      return {
        style: property('font-style'),
        weight: property('font-weight'),
        range: property('unicode-range'),
        name: nameWithHash(file, await readFile(file)),
        location: file,
      };
    }),
  );
}
