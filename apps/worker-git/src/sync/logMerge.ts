import type { GitMerge } from '@bindery/contract';
import type { Run } from '@bindery/jobs';

const maxLogged = 100;

/** Logs what was merged, and each conflict with the side that it kept. */
export function logMerge(run: Run, { totals, conflicts, omitted }: GitMerge): void {
  run.log(
    'info',
    `The branch and the space both changed since they were last in sync: merged, with ${totals.pages} pages changed by both and ${totals.conflicts} conflicts.`,
  );
  for (const { page, file, reusableContent, variable, redirect, field, kept } of conflicts.slice(
    0,
    maxLogged,
  )) {
    const name = page?.title ?? file ?? reusableContent ?? variable ?? redirect ?? '';
    run.log('warning', `Conflict in ${name} (${field}): kept the version of the ${kept}.`);
  }
  if (totals.conflicts > maxLogged || omitted > 0)
    run.log('warning', 'Not every conflict is logged; the revisions of both sides remain available.');
}
