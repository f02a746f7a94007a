import { describe, expect } from 'vitest';
import { startConsoleProcesses } from '../support/console/consoleProcesses.ts';
import { openVisitor } from '../support/console/consoleServer.ts';
import { itImporting } from '../support/content/contentImporting.ts';
import { hostileArchives, MiB, noise } from '../support/content/hostileArchives.ts';
import { writeZip } from '../support/content/zipWriter.ts';
import { bound } from '../support/machine.ts';
import { peakBytesOf } from '../support/processes/procfs.ts';

const mostGrowthBytes = 100 * MiB;
/** The limit of the form. */
const mostBytes = 20 * MiB;
const soon = { timeout: bound(60_000) };

const it = itImporting
  .extend('processes', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const processes = await startConsoleProcesses();
    onCleanup(processes.close);
    return processes;
  })
  .extend('visitor', { scope: 'file' }, async ({ processes, admin }) => {
    const visitor = openVisitor(processes.origin);
    await visitor.signIn(admin.token);
    return visitor;
  })
  /** Posts an archive with the form of a new space. @returns the answer, and the path of the job */
  .extend('post', ({ newSpace, visitor }) => async (bytes: Buffer) => {
    const { _id } = await newSpace();
    const form = new FormData();
    form.append('file', new File([new Uint8Array(bytes)], 'a.zip', { type: 'application/zip' }));
    const answer = await visitor.ask(`/spaces/${_id}/imports/files`, { form });
    return { ...answer, job: answer.headers.get('location') ?? '' };
  });

/** The code, the message and the advice that the page of a failed job shows. */
const errorIn = (text: string) =>
  /<dt>Error<\/dt>\s*<dd><span class="bad">(\w+)<\/span>: ([^<]+)/.exec(text)?.slice(1) ?? [];

describe('a hostile archive in the form for files', { timeout: bound(300_000) }, () => {
  it('ends in a job whose page names the reason, and takes no more memory of the console than a valid one', async ({
    processes,
    visitor,
    post,
  }) => {
    const { pid } = processes.apps.console;
    // As large as the form takes: its bytes are in memory while they go on to the API.
    const files = Array.from({ length: 2 }, (_, n) => ({ name: `${n}.bin`, content: noise(9 * MiB) }));
    const good = await post(writeZip([{ name: 'a.md', content: '# A' }, ...files]));
    await expect.poll(async () => (await visitor.get(good.job)).text, soon).toContain('succeeded');
    const before = peakBytesOf(pid);
    for (const [name, code, entries] of hostileArchives) {
      const bytes = writeZip(entries());
      const { status, text, job } = await post(bytes);
      if (bytes.length > mostBytes) {
        expect([name, status, text]).toEqual([name, 413, expect.stringContaining('At most 20.1 MB')]);
        continue;
      }
      expect([name, status]).toEqual([name, 303]);
      await expect.poll(async () => (await visitor.get(job)).text, soon).toContain('failed');
      const [shown, message = ''] = errorIn((await visitor.get(job)).text);
      // A sentence about the archive, and one about what to do.
      expect([name, shown, message]).toEqual([name, code, expect.stringMatching(/\w\. \w.*\./)]);
    }
    expect(peakBytesOf(pid) - before).toBeLessThan(mostGrowthBytes);
    expect((await visitor.get('/')).status).toBe(200);
  });
});
