import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';

/** Chromium's sandbox refuses to run as root; this user has nothing here. */
const somebody = 54_322;

/**
 * Starts Chromium in its sandbox. It resolves no name: pages reach only this machine.
 *
 * @param executable  default: the chromium-headless-shell on PATH
 */
export async function startTestBrowser(
  executable?: string,
): Promise<{ browser: Browser; close(): Promise<void> }> {
  const [found, setpriv] = await Promise.all(
    ['chromium-headless-shell', 'setpriv'].map((name) => findOnPath(name, process.env.PATH)),
  );
  const program = executable ?? found;
  if (!program || !setpriv) throw new Error('chromium-headless-shell or setpriv is not on PATH.');
  const folder = await mkdtemp(join(tmpdir(), 'bindery-browser-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, somebody, somebody);
  const ids = [`--reuid=${somebody}`, `--regid=${somebody}`, '--clear-groups', program];
  const browser = await puppeteer.launch({
    executablePath: isRoot ? setpriv : program,
    ignoreDefaultArgs: true,
    pipe: true,
    args: [
      ...(isRoot ? ids : []),
      '--headless',
      '--remote-debugging-pipe',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    env: { HOME: folder, PATH: process.env.PATH },
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
