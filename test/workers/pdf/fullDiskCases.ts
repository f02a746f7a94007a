// Run inside the network lab, which has mounts of its own: Chromium with a temporary folder that is full.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBrowsers } from '../../../apps/worker-pdf/src/browser/createBrowsers.ts';
import { silentLogger } from '../../support/pdf/silentLogger.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-full-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=1777', 'tmpfs', folder]);
process.env['TMPDIR'] = folder;

const browsers = await createBrowsers({
  executable: process.argv[2]!,
  memoryMb: 1_000,
  logger: silentLogger,
});
const print = async () => {
  const book = await browsers.openBook(new AbortController().signal);
  try {
    const html = `<!doctype html><html lang="en"><title>x</title><h1>Title</h1>${'<p>words'.repeat(5_000)}</html>`;
    const chunk = await book.load({ html, deadlineMs: 60_000 });
    return (await chunk.print()).length > 0 ? 'printed' : 'empty';
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    book.discard();
  }
};
const before = await print();
try {
  for (let file = 0; ; file += 1) writeFileSync(join(folder, `fill${file}`), Buffer.alloc(64 * 1024));
} catch {
  // It is full.
}
const full = await print();
await browsers.close();
execFileSync('umount', ['--lazy', folder]);
rmdirSync(folder);
process.stdout.write(JSON.stringify({ before, full }));
