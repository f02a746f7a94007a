import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isTimed } from './timedFiles.ts';

/**
 * Those with processes of their own first: they take longest, and at the end of a run one test process would wait for the other. Before them what needs
 * no platform: starting a program takes the longer, the more its test process has in memory.
 */
const order = ['test/git', 'test/workers', 'test/faults', 'test/e2e', 'test/contract', 'test/api', 'test/jobs'];
/** The folders whose tests start the platform's processes. */
const heavy = new Set([1, 2, 3]);

/**
 * Runs the files of one folder after each other: what they share in a test process, such as the API, is then started once and not for each of them.
 * Files that measure times are spread over the others with processes, so that none of them has to wait for another one.
 */
export default class FolderSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
    const timed = sorted.filter(({ moduleId }) => isTimed(moduleId));
    const others = sorted.filter(({ moduleId }) => !isTimed(moduleId));
    const first = others.filter((file) => placeOf(file) === 0).length;
    const among = others.filter((file) => heavy.has(placeOf(file))).length;
    const step = among / Math.max(1, timed.length);
    for (const [index, file] of timed.entries()) others.splice(first + Math.floor(index * step) + index, 0, file);
    return others;
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const path = relative(process.cwd(), moduleId);
  const place = order.findIndex((folder) => path.startsWith(`${folder}/`));
  return place < 0 ? order.length : place;
}
