import { describe, expect, it } from 'vitest';
import { compose, megabytes } from '../../../../test/support/stores/composeFile.ts';
import { capacity } from '../commands/capacity.ts';
import { appFigures, kindFigures } from './figures.ts';
import { planCapacity, type Profile } from './planCapacity.ts';

const shares = Object.fromEntries(kindFigures.map(({ kind, share }) => [kind, share]));
const small: Profile = {
  organizations: 10,
  pages: 100,
  jobsPerSecond: 0.1,
  readsPerSecond: 10,
  editsPerDay: 100,
  waitSeconds: 5,
  retentionDays: 30,
  shares,
};
const processesOf = (profile: Profile) =>
  Object.fromEntries(planCapacity(profile).apps.map(({ app, processes }) => [app, processes]));

describe('the plan of an installation', () => {
  it('has two processes of each app for few jobs, so that one may fail', () => {
    expect(new Set(Object.values(processesOf(small)))).toEqual(new Set([2]));
  });

  it('serves 1,000 organizations of 10,000 pages and 1,000 jobs a second without too many idle slots', () => {
    const large = { ...small, organizations: 1_000, pages: 10_000, jobsPerSecond: 1_000 };
    for (const { app, use, waits } of planCapacity(large).apps) {
      expect(waits.p99, app).toBeLessThan(5);
      expect(use, app).toBeGreaterThan(0.5);
      expect(use, app).toBeLessThan(0.85);
    }
  });

  it('adds processes for a shorter wait', () => {
    const busy = { ...small, jobsPerSecond: 5 };
    const [patient, hasty] = [processesOf(busy), processesOf({ ...busy, waitSeconds: 0.2 })];
    expect(hasty['worker-git']).toBeGreaterThan(patient['worker-git'] ?? 0);
  });

  it('expects no jobs of the kinds that the mix omits', () => {
    const { apps } = planCapacity({ ...small, jobsPerSecond: 20, shares: { 'git-import': 100 } });
    const withJobs = apps.filter(({ jobsPerSecond }) => jobsPerSecond > 0).map(({ app }) => app);
    expect(withJobs).toEqual(['worker-git']);
  });

  it('uses the memory limits of docker-compose.yml', () => {
    const services = compose();
    for (const [app, { memoryMb }] of Object.entries(appFigures))
      expect(megabytes(services[app]?.mem_limit), app).toBe(memoryMb);
  });

  it.each([
    [['--jobs', 'many'], '--jobs is "many"'],
    [['--organizations', '0'], '--organizations is "0"'],
    [['--wait', '0'], '--wait is "0"'],
    [['--mix', 'git-import=50'], 'add up to 50'],
    [['--mix', 'git-import=100,nothing=0'], '--mix has "nothing=0"'],
    [['--mix', 'git-import=50,git-import=50'], '--mix add up to 100'],
  ])('refuses %s', async (args, message) => {
    await expect(capacity(args)).rejects.toThrow(message);
  });
});
