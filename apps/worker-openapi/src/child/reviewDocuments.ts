import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lintSpecification } from '@bindery/openapi';
import { compareSpecifications, ofKnownRules } from '@bindery/openapi-diff';
import type { Review, ReviewRequest } from './specWork.ts';

/** Compares a version with the one before, and judges its style. Runs in a process of its own. */
export async function reviewDocuments({
  before,
  after,
  bundle,
  settings,
  folder,
}: ReviewRequest): Promise<Review> {
  const { findings, findingCount } = await lintSpecification(
    await readFile(bundle, 'utf8'),
    settings?.lintSeverities,
  );
  await writeFile(join(folder, 'lint'), JSON.stringify(findings));
  if (before === undefined) return { lintCount: findingCount };
  const severities = ofKnownRules(settings?.changeSeverities ?? {});
  const { counts } = compareSpecifications(await readDocument(before), await readDocument(after), {
    severities,
  });
  return { lintCount: findingCount, changes: counts };
}

/** Reads a document in the form for readers, which is always OpenAPI 3. */
async function readDocument(path: string): Promise<object> {
  const [file] = JSON.parse(await readFile(path, 'utf8')) as { specification: object }[];
  return file?.specification ?? {};
}
