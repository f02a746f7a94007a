import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it as base } from 'vitest';
import { readLocalFolder } from './readLocalFolder.ts';

const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-local-'));
    onCleanup(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'README.md'), '# Home\n');
    return folder;
  })
  /** Repeats a change of files for as long as a piece of work takes. */
  .extend('during', () => async (change: (turn: number) => Promise<void>, work: () => Promise<void>) => {
    let isDone = false;
    const changes = (async () => {
      for (let turn = 0; !isDone; turn += 1) await change(turn);
    })();
    try {
      await work();
    } finally {
      isDone = true;
      await changes;
    }
  });

describe('the reading of a folder', { timeout: 60_000 }, () => {
  it('passes over temporary files and folders that vanish meanwhile', async ({ folder, during }) => {
    await during(
      async (turn) => {
        const [file, inner] = [join(folder, `.${turn}.swp`), join(folder, `tmp${turn}`)];
        await mkdir(inner);
        await Promise.all(
          Array.from({ length: 20 }, (_, index) => writeFile(join(folder, `${index}.tmp`), 'words')),
        );
        await writeFile(file, 'words');
        await Promise.all(Array.from({ length: 20 }, (_, index) => rm(join(folder, `${index}.tmp`))));
        await rm(inner, { recursive: true });
        await rm(file);
      },
      async () => {
        for (let reading = 0; reading < 200; reading += 1)
          expect((await readLocalFolder(folder)).files.map(({ path }) => path)).toEqual(['README.md']);
      },
    );
  });

  it('sends a page whole or not at all while a program replaces it', async ({ folder, during }) => {
    const place = join(folder, 'README.md');
    const texts = ['one', 'two two'].map((word) => `# Home\n\n${`${word}\n`.repeat(20_000)}`);
    await during(
      async (turn) => {
        await writeFile(`${place}~`, texts[turn % 2]!);
        await rename(`${place}~`, place);
      },
      async () => {
        for (let reading = 0; reading < 50; reading += 1) {
          const { files } = await readLocalFolder(folder);
          const page = files.find(({ path }) => path === 'README.md')?.bytes.toString();
          expect(['# Home\n', ...texts].includes(page!)).toBe(true);
        }
      },
    );
  });

  it('names a file that cannot be read', async ({ folder }) => {
    const place = join(folder, 'README.md');
    await expect(readLocalFolder(join(folder, 'no'))).rejects.toThrow('is not a folder');
    await rm(place);
    await symlink(place, place);
    await expect(readLocalFolder(folder)).rejects.toThrow('has no pages');
  });
});
