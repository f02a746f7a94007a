import { hash, X509Certificate } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';

/** Chromium's sandbox refuses to run as root; this user has nothing here. */
const somebody = 54_322;

/** A server on this machine that the browser reaches by names, over TLS. */
type NamedServer = {
  /** A host name, or a pattern such as `*.example.org`. */
  names: string;
  port: number;
  /** The certificate of an authority, which makes those that it signed valid. */
  authority: string;
};

/**
 * Starts Chromium in its sandbox. It resolves no name but those of `server`: pages reach only this machine.
 *
 * @param executable  default: the chromium-headless-shell on PATH
 */
export async function startTestBrowser(
  executable?: string,
  server?: NamedServer,
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
      `--host-resolver-rules=${server ? `MAP ${server.names} 127.0.0.1:${server.port}, ` : ''}MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ...(server ? [`--ignore-certificate-errors-spki-list=${keyHashOf(server.authority)}`] : []),
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

/** The hash of a public key, by which Chromium takes a certificate, and those signed by it, as valid. */
function keyHashOf(certificate: string): string {
  const { publicKey } = new X509Certificate(certificate);
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64');
}
