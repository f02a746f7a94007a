import { access, constants } from 'node:fs/promises';
import { messageOf } from '@bindery/runtime';
import type { Config, Logger } from '@bindery/runtime';
import { StartProblem } from '@bindery/worker';
import type { Browsers } from './browser.ts';
import { createBrowsers } from './createBrowsers.ts';

/** Where systems put Chromium; the headless shell first, which starts faster and needs less memory. */
const usualPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chrome-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const fix = 'Set CHROME_PATH, or install Chromium (Debian: `apt-get install chromium-headless-shell`).';

/**
 * Starts the browsers of a worker as configured.
 *
 * @throws StartProblem that says what is missing
 */
export async function startBrowsers({ pdf, children }: Config, logger: Logger): Promise<Browsers> {
  const executable = pdf.chromium ?? (await findExecutable());
  if (!executable) throw new StartProblem(`there is no Chromium. ${fix}`, { reason: 'there is no Chromium' });
  try {
    return await createBrowsers({
      executable,
      fontConfigFile: pdf.fontConfigFile,
      firstUid: children.firstUid,
      memoryMb: pdf.memoryMb,
      logger,
    });
  } catch (error) {
    const why = messageOf(error);
    throw new StartProblem(
      `Chromium (${executable}) does not start: ${why}. docs/pdf-worker.md lists the causes.`,
      {
        reason: 'Chromium does not start; the log of the worker says why',
        cause: error,
      },
    );
  }
}

async function findExecutable(): Promise<string | undefined> {
  for (const path of usualPaths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
