import { readFile } from 'node:fs/promises';
import { judgeCompatibility } from '@bindery/openapi';
import type { Verdict } from './specWork.ts';

/** A longer reason helps nobody. */
const maxReasonLength = 2_000;

/** Tries a bundle with swagger-parser. Runs in a process of its own. */
export async function judgeBundle({ bundle }: { bundle: string }): Promise<Verdict> {
  const verdict = await judgeCompatibility(await readFile(bundle, 'utf8'));
  return verdict.isAccepted ? verdict : { ...verdict, reason: verdict.reason.slice(0, maxReasonLength) };
}
