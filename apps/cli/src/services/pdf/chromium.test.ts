import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Surroundings } from '../service.ts';
import { findChromium, provideChromium } from './chromium.ts';
import { findFonts, provideFonts } from './fonts.ts';

describe('the search for Chromium and the fonts of PDFs', () => {
  let folder: string;
  let surroundings: Surroundings;
  const say = () => {};
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-services-'));
    await chmod(folder, 0o755);
    surroundings = {
      environment: { PATH: join(folder, 'path') },
      machine: 'linux-x64',
      cacheFolder: join(folder, 'cache'),
    };
  });
  afterEach(() => rm(folder, { recursive: true }));

  const makeProgram = async (path: string, output: string) => {
    const full = join(folder, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, `#!/bin/sh\necho '${output}'\n`);
    await chmod(full, 0o755);
    return full;
  };

  it('uses only the program that CHROME_PATH names, if it is set', async () => {
    await makeProgram('path/chromium', 'Chromium 150.0.1.2');
    const path = await makeProgram('mine/chrome', 'Google Chrome 151.0.3.4');
    surroundings.environment.CHROME_PATH = path;
    expect(await findChromium({ surroundings })).toEqual({
      path,
      version: [151, 0, 3],
      found: 'named by CHROME_PATH',
    });
    surroundings.environment.CHROME_PATH = join(folder, 'nothing');
    await expect(provideChromium({ surroundings, say })).rejects.toThrow('is not an executable file');
  });

  it('prefers the headless shell on PATH, and skips one that is too old', async () => {
    await makeProgram('path/chromium', 'Chromium 150.0.1.2');
    await makeProgram('path/chromium-headless-shell', 'Chromium 156.0.8078.79');
    expect((await findChromium({ surroundings }))?.version).toEqual([156, 0, 8078]);
    await makeProgram('path/chromium-headless-shell', 'Chromium 90.0.1.2');
    expect((await findChromium({ surroundings }))?.version).toEqual([150, 0, 1]);
  });

  it('installs nothing if BINDERY_NO_INSTALL is set', async () => {
    surroundings.environment.BINDERY_NO_INSTALL = '1';
    expect(await findChromium({ surroundings })).toBeUndefined();
    expect(await findFonts({ surroundings })).toBeUndefined();
    await expect(provideChromium({ surroundings, say })).rejects.toThrow('BINDERY_NO_INSTALL forbids');
    await expect(provideFonts({ surroundings, say })).rejects.toThrow('BINDERY_NO_INSTALL forbids');
  });

  it('refuses and removes a package that is not the expected one', async () => {
    // Stands in for npm: it puts some archive where it is told to.
    const npm = join(folder, 'path/npm');
    await makeProgram('path/npm', '');
    await writeFile(npm, '#!/bin/sh\necho forged > "$5/package.tgz"\n');
    await expect(provideFonts({ surroundings, say })).rejects.toThrow(
      /The package @expo-google-fonts\/noto-sans@\S+ is not the expected one: it is sha512-/,
    );
    expect(await findFonts({ surroundings })).toBeUndefined();
  });
});
