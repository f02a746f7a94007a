import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename, rm, writeFile, chmod } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fontPackages, genericFamilies, type FontPackage } from './fontPackages.ts';
import { unpackNpmPackage } from './npmPackage.ts';
import { openCacheFolder } from './openFolder.ts';
import type { Tools } from '../runTool.ts';

/** A change of the list makes a new folder. */
const version = createHash('sha256')
  .update(JSON.stringify([fontPackages, genericFamilies]))
  .digest('hex')
  .slice(0, 12);

/** Finds the fonts of PDFs. @returns the path of their fontconfig file, if they are here */
export async function findFonts(tools: Pick<Tools, 'surroundings'>): Promise<string | undefined> {
  const path = await fontConfigPath(tools);
  const isHere = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  return isHere ? path : undefined;
}

/**
 * Finds the fonts of PDFs, or downloads them: about 140 MB, of which 78 MB stay.
 *
 * @returns the path of their fontconfig file
 */
export async function provideFonts(tools: Tools): Promise<string> {
  const found = await findFonts(tools);
  if (found) return found;
  if (tools.surroundings.environment.BINDERY_NO_INSTALL)
    throw new Error('The fonts of PDFs are not here, and BINDERY_NO_INSTALL forbids installing them.');
  const path = await fontConfigPath(tools);
  await installFonts(dirname(path), tools);
  return path;
}

/** Returns the folder of the fonts of PDFs, which may not be there yet. */
export async function fontFolder(tools: Pick<Tools, 'surroundings'>): Promise<string> {
  return dirname(tools.surroundings.environment.BINDERY_PDF_FONTS || (await fontConfigPath(tools)));
}

async function fontConfigPath({ surroundings }: Pick<Tools, 'surroundings'>): Promise<string> {
  return join(await openCacheFolder(surroundings), `fonts-${version}`, 'fonts.conf');
}

/** Downloads beside the target and renames at the end, so that the folder is whole or absent. */
export async function installFonts(folder: string, tools: Tools): Promise<void> {
  tools.say(`PDF: downloading fonts with npm (140 MB, once) to ${folder}`);
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), 'download-'));
  try {
    const target = join(work, 'fonts');
    await mkdir(target);
    for (const one of fontPackages) await addFont(one, { work, target }, tools);
    await writeFile(join(target, 'fonts.conf'), fontConfig(folder));
    for (const path of [target, work]) await chmod(path, 0o755);
    await rename(target, folder).catch((error: NodeJS.ErrnoException) => {
      // Another launcher was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function addFont(
  font: FontPackage,
  { work, target }: { work: string; target: string },
  tools: Tools,
): Promise<void> {
  const unpacked = await mkdtemp(join(work, 'package-'));
  await unpackNpmPackage(font, { files: [...font.files, 'LICENSE_FONT'], target: unpacked }, tools);
  for (const file of font.files) {
    const path = join(target, basename(file));
    await copyFile(join(unpacked, file), path);
    await chmod(path, 0o644);
  }
  const name = font.requirement.split(/[/@]/)[2];
  await copyFile(join(unpacked, 'LICENSE_FONT'), join(target, `${name}.LICENSE`));
}

/** Only these fonts: with others of the machine, the same content would give other bytes. */
function fontConfig(folder: string): string {
  const aliases = Object.entries(genericFamilies).map(
    ([generic, families]) =>
      `  <alias binding="same"><family>${generic}</family><prefer>${families.map((family) => `<family>${family}</family>`).join('')}</prefer></alias>`,
  );
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `  <dir>${folder}</dir>`,
    // In the folder of the browser, which nobody shares.
    '  <cachedir>~/.cache/fontconfig</cachedir>',
    ...aliases,
    '</fontconfig>',
    '',
  ].join('\n');
}
