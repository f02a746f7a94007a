import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { expectNextExport, newSubject, stateOf } from '../support/git/exportSubjects.ts';
import { rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import type { RepositoryFiles } from '../support/git/gitRepository.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable } from '../support/resultTable.ts';
import { until } from '../support/until.ts';

const limitBytes = 1024 * 1024;
/** A folder for temporary files that holds a megabyte, and files that may be no larger. */
const ways = [
  {
    name: 'a full disk',
    within: [
      'unshare',
      '--mount',
      'sh',
      '-c',
      `mount -t tmpfs -o size=${limitBytes} none "$TMPDIR" && exec "$@"`,
      'sh',
    ],
    isThere: spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0,
  },
  {
    name: 'a limit of the size of files',
    within: ['prlimit', `--fsize=${limitBytes}`],
    isThere: existsSync('/usr/bin/prlimit'),
  },
];

let lab: FaultLab;
let names = 0;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab(rareSweeps);
});
afterEach(() => lab.reset({ keep: ['worker-maintenance'] }));
afterAll(async () => {
  table.print();
  await lab.close();
});

const incompressible = () =>
  randomBytes(3 * limitBytes)
    .toString('base64')
    .slice(0, 3 * limitBytes);
const contents: [what: string, files: RepositoryFiles][] = [
  [
    'a large file',
    {
      'README.md': '# Home\n\n![](.gitbook/assets/large.png)\n',
      '.gitbook/assets/large.png': incompressible(),
    },
  ],
  ['a large page', { 'README.md': `# Home\n\n${incompressible()}\n` }],
];

/** A space with that content, and an empty repository. */
async function newSpaceWith(files: RepositoryFiles): Promise<{ space: SpaceRecord; url: string }> {
  const source = await lab.gitServer.createRepository(`disk${(names += 1)}.git`, files);
  const space = await lab.newSpace();
  await lab.importHere(space, source.url);
  return { space, url: (await lab.gitServer.createRepository(`disk${(names += 1)}.git`, {})).url };
}

const foldersOf = async ({ pid }: AppProcess) =>
  (await readdir(join(`/proc/${pid}/root`, lab.workFolder))).filter((name) =>
    name.startsWith(`bindery-git-${pid}-`),
  );

describe('F22: no room for temporary files in an export', { timeout: 60_000 }, () => {
  for (const { name, within, isThere } of ways) {
    if (!isThere) console.log(`F22, ${name}: not run; this machine does not let a test make one`);
    it.skipIf(!isThere)(
      `(${name}) fails with no_space and leaves no files, and the worker runs the next export`,
      async () => {
        await lab.start('worker-maintenance');
        const large = await Promise.all(contents.map(([, files]) => newSpaceWith(files)));
        const small = await newSubject(lab);
        const worker = await lab.start('worker-git', { within });
        const accepted: string[] = [];
        for (const [index, { space, url }] of large.entries()) {
          const before = await stateOf(space);
          const job = await lab.waitFor((await lab.export(space, url))._id, ({ finishedAt }) => finishedAt);
          expect(job, contents[index]![0]).toMatchObject({
            state: 'failed',
            error: { code: 'no_space', class: 'resource', action: expect.stringContaining('space') },
            resourceTries: 1,
          });
          expect(await stateOf(space)).toEqual(before);
          accepted.push(job._id);
        }
        await until('end of the temporary folders', async () => (await foldersOf(worker)).length === 0);
        accepted.push((await expectNextExport(lab, small))._id);
        expect(worker.hasEnded()).toBe(false);
        await checkInvariants(lab, accepted);
        table.add({
          fault: `F22 ${name}`,
          runs: contents.length,
          result: 'failed (no_space), temporary files gone, the next one is done',
          measured: 'the same worker',
          goal: 'the same',
        });
      },
    );
  }
});
