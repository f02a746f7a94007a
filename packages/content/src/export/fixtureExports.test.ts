import { expect, it } from 'vitest';
import { exportLab } from '../../../../test/support/exportLab.ts';
import {
  fixtureRepository,
  fixtureRepositoryWithoutSummary,
} from '../../../../test/support/fixtureRepository.ts';

it.each([
  ['with SUMMARY.md', fixtureRepository(), ''],
  ['without SUMMARY.md', fixtureRepositoryWithoutSummary(), 'docs'],
  ['without SUMMARY.md at the root', fixtureRepositoryWithoutSummary(), ''],
])('writes nothing into an imported repository, %s', async (_name, files, projectDirectory) => {
  const lab = exportLab({ projectDirectory });
  const content = await lab.read(files);
  expect((await lab.plan(content, files)).changes).toEqual([]);
  lab.asked.length = 0;
  const { changes, pages } = await lab.plan(content, files, content);
  expect(changes).toEqual([]);
  expect(lab.asked).toEqual([]);
  expect(pages.size).toBeGreaterThan(20);
});
