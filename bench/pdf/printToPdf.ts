import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Prints a document by the command line of Chromium, started for this one. As root without its sandbox, which
 * only saves it time.
 *
 * @returns milliseconds
 */
export async function printToPdf(html: string, pdf: string, executable: string): Promise<number> {
  const profile = await mkdtemp(join(tmpdir(), 'bindery-bench-chromium-'));
  const { BINDERY_PDF_FONTS } = process.env;
  const startMs = performance.now();
  await run(
    executable,
    [
      '--headless',
      '--disable-gpu',
      '--no-first-run',
      '--no-pdf-header-footer',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${profile}`,
      `--print-to-pdf=${pdf}`,
      `file://${html}`,
    ],
    { env: { ...process.env, ...(BINDERY_PDF_FONTS && { FONTCONFIG_FILE: BINDERY_PDF_FONTS }) } },
  );
  const ms = performance.now() - startMs;
  await rm(profile, { recursive: true, force: true });
  return ms;
}
