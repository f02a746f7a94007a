import { createHash } from 'node:crypto';
import { Refusal } from '../../refusal.ts';
import type { ApiAccess } from '../api/apiAccess.ts';
import { onlyOrganization } from '../api/onlyOrganization.ts';
import type { Change, Planning } from './change.ts';
import type { Declaration } from './declaration.ts';
import { planCollections, planSpaces } from './planContent.ts';
import { planSites } from './planSites.ts';

/** The changes that carry out a declaration, in order. */
export type Plan = {
  changes: readonly Change[];
  /** Objects that the file does not declare and that stay. */
  undeclared: readonly string[];
  unchanged: number;
  /** Differs when the plan does: names it to `bindery apply --plan`. */
  name: string;
};

/**
 * Compares an organization with a declaration. Reads only.
 *
 * @param given.prune  plans the removal of what the file does not declare
 */
export async function planDeclaration(
  declaration: Declaration,
  { api, environment, prune }: { api: ApiAccess; environment: NodeJS.ProcessEnv; prune: boolean },
): Promise<Plan> {
  const organization = declaration.organization ?? (await onlyOrganization(api));
  const ids = new Map<string, string>();
  const planning: Planning = {
    api,
    organization,
    environment,
    prune,
    ids,
    changes: [],
    undeclared: [],
    unchanged: 0,
  };
  await planCollections(planning, declaration);
  await planSpaces(planning, declaration);
  await planSites(planning, declaration);
  const { unchanged, undeclared } = planning;
  // In reverse, because things go before what they are in.
  const changes = [...planning.changes, ...(prune ? undeclared.toReversed() : [])];
  const told = changes.map(({ action, name, fields }) => ({ action, name, fields }));
  const text = JSON.stringify([organization, told]);
  return {
    changes,
    undeclared: prune ? [] : undeclared.map(({ name }) => name),
    unchanged,
    name: createHash('sha256').update(text).digest('hex').slice(0, 12),
  };
}

/**
 * Carries out a plan. A failed change leaves the rest undone; the next plan has it.
 *
 * @param onDone  is told of each change that is made
 * @throws Refusal that names the change which failed
 */
export async function applyPlan({ changes }: Plan, onDone: (change: Change) => void): Promise<void> {
  for (const [index, change] of changes.entries()) {
    try {
      await change.run();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(
        `${change.name}: ${error.message}`,
        [...error.fixes, `Done are ${index} of ${changes.length} changes; run it again for the rest.`],
        { cause: error },
      );
    }
    onDone(change);
  }
}
