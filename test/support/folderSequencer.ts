import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those with processes of their own first: they take longest, and at the end of a run one test process would wait for the other. */
const order = ['test/workers', 'test/faults', 'test/e2e', 'test/contract', 'test/api', 'test/jobs'];

/** Runs the files of one folder after each other: what they share in a test process, such as the API, is then started once and not for each of them. */
export default class FolderSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const path = relative(process.cwd(), moduleId);
  const place = order.findIndex((folder) => path.startsWith(`${folder}/`));
  return place < 0 ? order.length : place;
}
