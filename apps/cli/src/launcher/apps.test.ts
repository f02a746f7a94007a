import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planApps } from './apps.ts';

describe('the processes to start', () => {
  let appsFolder: string;
  beforeAll(async () => {
    appsFolder = await mkdtemp(join(tmpdir(), 'bindery-apps-'));
    for (const name of ['api', 'worker-git', 'worker-maintenance', 'something-else']) {
      await mkdir(join(appsFolder, name, 'src'), { recursive: true });
      await writeFile(join(appsFolder, name, 'src', 'main.ts'), '');
    }
    // A worker without a program.
    await mkdir(join(appsFolder, 'worker-pdf'));
  });
  afterAll(() => rm(appsFolder, { recursive: true }));

  const plan = (options: Omit<Parameters<typeof planApps>[0], 'appsFolder'>) =>
    planApps({ ...options, appsFolder }).map(({ name, count }) => `${name} ${count}`);

  it('are one of each app of this version', () => {
    expect(plan({})).toEqual(['api 1', 'worker-git 1', 'worker-maintenance 1']);
  });

  it('follow the numbers of --workers, with or without the prefix', () => {
    expect(
      plan({
        workers: new Map([
          ['git', 2],
          ['worker-maintenance', 0],
        ]),
      }),
    ).toEqual(['api 1', 'worker-git 2']);
  });

  it('are limited to the apps that --only names', () => {
    expect(plan({ only: ['worker-git', 'api'] })).toEqual(['api 1', 'worker-git 1']);
  });

  it('are refused when unknown', () => {
    expect(() => plan({ only: ['git'] })).toThrow('--only: there is no git.');
    expect(() => plan({ workers: new Map([['pdf', 1]]) })).toThrow(
      expect.objectContaining({
        message: '--workers: there is no pdf.',
        fixes: ['Choose from git, maintenance.'],
      }),
    );
  });
});
