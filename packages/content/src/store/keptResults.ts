import { findKeptResult, storeKeptResult } from '@bindery/models';
import { codeVersionOf } from '@bindery/runtime';
import { createHash } from 'node:crypto';
import { packJson, unpackJson } from './packedJson.ts';

/** A larger result is computed each time: it would cost as much to read. */
const maxBytes = 4 * 1024 * 1024;

/** The code that decides the results. */
const packages = ['contract', 'dialect', 'html', 'content', 'publishing', 'render'];
let codeVersion: string | undefined;

/** Reads the code on which results depend, 0.1 to 0.4 s, so that the first reader does not wait for it. */
export function prepareKeptResults(): void {
  codeVersion ??= codeVersionOf(packages);
}

/**
 * Finds the result of a pure function in the database, or computes and stores it: other processes, and this
 * one after a restart, find it there.
 *
 * @param computation.input  everything that the result depends on beside the code, as JSON: also the
 *   organization, so that none can find out what another has
 * @param computation.compute  gives undefined when there is no result that is worth keeping
 */
export async function computeOnce<Result extends object>({
  input,
  compute,
}: {
  input: string;
  compute: () => Promise<Result | undefined>;
}): Promise<Result | undefined> {
  prepareKeptResults();
  const id = createHash('sha256').update(`${codeVersion}\0`).update(input).digest('base64url');
  const known = await findKeptResult(id);
  if (known) return unpackJson<Result>(known);
  const result = await compute();
  if (!result) return undefined;
  const packed = await packJson(result);
  // Without it, the result is computed again.
  if (packed.length <= maxBytes) await storeKeptResult(id, packed).catch(() => undefined);
  return result;
}
