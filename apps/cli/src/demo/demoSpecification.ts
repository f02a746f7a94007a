import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinal, type JobState } from '@bindery/contract';
import { callForDemo, type Caller } from './callForDemo.ts';

export const specificationSlug = 'library';

const folder = join(import.meta.dirname, 'specification');

/**
 * Publishes two versions of an API specification; clients of the first fail with the second.
 *
 * Waits for the first version, because the job of a newer source supersedes that of an older one.
 * @throws Error when the API refuses a request, and when `signal` aborts
 */
export async function publishDemoSpecification(caller: Caller, signal: AbortSignal): Promise<void> {
  const first = await putVersion(caller, '1.0');
  if (first) await untilFinal(caller, { job: first, signal });
  await putVersion(caller, '2.0');
}

async function putVersion(caller: Caller, version: string): Promise<string | undefined> {
  const text = await readFile(join(folder, `${specificationSlug}-${version}.yaml`), 'utf8');
  const { job } = await callForDemo(caller, {
    method: 'PUT',
    path: `/orgs/${caller.organizationId}/openapi/${specificationSlug}`,
    body: { source: { text } },
    key: `demo-${specificationSlug}-${version}`,
  });
  return job;
}

async function untilFinal(
  { apiUrl, token }: Caller,
  { job, signal }: { job: string; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const response = await fetch(`${apiUrl}/v1/jobs/${job}?wait=60`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    if (!response.ok) throw new Error(`The job ${job} answered ${response.status}.`);
    const { state } = (await response.json()) as { state: JobState };
    if (isFinal(state)) return;
  }
}
