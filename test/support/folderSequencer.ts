import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isIn, isTimed } from './timedFiles.ts';

/**
 * Folders whose tests start many programs, which takes longer the more memory the test process uses: those
 * without the platform first.
 */
export const programFolders = ['test/git', 'test/workers', 'test/faults', 'test/hostile', 'test/e2e'];
/**
 * Files that start programs or a browser take longest: at the end of a run one test process would wait for
 * the others. The slowest of all come after those that a change breaks more often; on a slow machine,
 * lateFiles.ts leaves them out.
 */
const storeFolders = [
  'test/git',
  'test/workers',
  'test/e2e',
  'test/console',
  'test/site',
  'test/contract',
  'test/api',
  'test/jobs',
  'test/faults',
  'test/hostile',
];
/** The slowest of the pure tests are small files, which would come last. */
const order = [...storeFolders, 'test/house', 'test/roundTrip', 'test/pdf', 'packages/openapi'];
/** At the end of this part of the files with stores the last timed one begins, so that it is no straggler. */
const timedShare = 0.8;

/**
 * Runs the files of one folder in sequence, so that what they share in a test process, such as the API, is
 * started only once. Timed files are spread among the others, so that none waits for another one, and the
 * rest of the machine works while a timed file waits for a lease or a restart.
 */
export default class FolderSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
    const timed = sorted.filter(({ moduleId }) => isTimed(moduleId));
    const others = sorted.filter(({ moduleId }) => !isTimed(moduleId));
    const withStores = others.filter((file) => placeOf(file) < storeFolders.length).length;
    const step = (timedShare * withStores) / Math.max(1, timed.length);
    for (const [index, file] of timed.entries()) others.splice(Math.floor(index * step) + index, 0, file);
    return others;
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = order.findIndex((folder) => isIn([folder], moduleId));
  return place < 0 ? order.length : place;
}
