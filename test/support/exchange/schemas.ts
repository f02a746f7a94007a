import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { provideDebianPrograms } from '../debianPrograms.ts';

const base = resolve(import.meta.dirname, '../../../.bindery');
const folder = join(base, 'exchange-schemas');
const run = promisify(execFile);

/** Where Debian's packages hold them: OmegaT, a tool of translators, and a library of PHP. */
const omegatJar = 'usr/share/omegat/OmegaT.jar';
const tmxType = 'schemas/tmx14.dtd';
const xliffFolder = 'usr/share/php/Symfony/Component/Translation/Resources/schemas';
const webNames = ['http://www.w3.org/2001/xml.xsd', 'informativeCopiesOf3rdPartySchemas/w3c/xml.xsd'];
const xliffSchemas = { '1.2': 'xliff-core-1.2-strict.xsd', '2.1': 'xliff-core-2.0.xsd' };

/**
 * Provides xmllint, the document type of TMX 1.4b, and the schemas of XLIFF 1.2 (strict) and of the core of
 * XLIFF 2, which 2.1 shares.
 *
 * @returns the reason why that is not possible here, if it is not
 */
export async function provideExchangeSchemas(): Promise<string | undefined> {
  const missing = await provideDebianPrograms({ xmllint: ['libxml2-utils'] });
  if (missing) return missing;
  try {
    await access(folder).catch(async () => unpack());
    return undefined;
  } catch (error) {
    return `The schemas of TMX and XLIFF need Debian's packages omegat and php-symfony-translation: ${(error as Error).message}`;
  }
}

/** Fails unless a file is valid TMX 1.4b, by its document type. */
export async function checkTmx(file: string): Promise<void> {
  await validate(['--dtdvalid', join(folder, 'tmx14.dtd'), file]);
}

/** Fails unless a file is valid XLIFF, by the schema of its version. */
export async function checkXliff(version: keyof typeof xliffSchemas, file: string): Promise<void> {
  await validate(['--schema', join(folder, xliffSchemas[version]), file]);
}

async function validate(args: readonly string[]): Promise<void> {
  await run('xmllint', ['--nonet', '--noout', ...args], { maxBuffer: 16 * 1024 * 1024 });
}

/** Unpacks the packages without installing them. */
async function unpack(): Promise<void> {
  const work = await mkdtemp(`${folder}.`);
  try {
    await run('apt-get', ['download', '-q', 'omegat', 'php-symfony-translation'], { cwd: work }).catch(
      async () => {
        await run('apt-get', ['update', '-q']);
        await run('apt-get', ['download', '-q', 'omegat', 'php-symfony-translation'], { cwd: work });
      },
    );
    await run('sh', ['-c', 'for package in *.deb; do dpkg -x "$package" .; done'], { cwd: work });
    const ready = join(work, 'ready');
    await run('python3', ['-m', 'zipfile', '-e', omegatJar, 'jar'], { cwd: work });
    await run('sh', ['-c', `mkdir ready && cp jar/${tmxType} ${xliffFolder}/* ready`], { cwd: work });
    // They name a schema on the Web, which is beside them.
    for (const name of Object.values(xliffSchemas)) {
      const schema = await readFile(join(ready, name), 'utf8');
      const local = webNames.reduce((text, webName) => text.replaceAll(webName, 'xml.xsd'), schema);
      await writeFile(join(ready, name), local);
    }
    await rename(ready, folder).catch(async (error: unknown) => {
      // Another process was faster.
      await access(folder).catch(() => {
        throw error;
      });
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
