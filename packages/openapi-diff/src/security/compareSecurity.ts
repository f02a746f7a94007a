import { report } from '../engine/report.ts';
import type { Scope } from '../engine/scope.ts';
import type { OperationPair } from '../operations/matchOperations.ts';
import { code } from '../rules/code.ts';
import { compareSchemes } from './compareSchemes.ts';
import { requirementsOf, type Requirement } from './requirements.ts';

type Pointers = { before: string; after: string };

/**
 * Compares the security of an operation. It breaks a client when a request that was sufficient before is not
 * sufficient any more.
 *
 * @param aliases  new names of schemes that were only renamed
 */
export function compareSecurity(
  scope: Scope,
  pair: OperationPair,
  aliases: ReadonlyMap<string, string>,
): void {
  const old = requirementsOf(scope.run.before, pair.before.operation);
  const now = requirementsOf(scope.run.after, pair.after.operation);
  const place = { before: old.pointer, after: now.pointer };
  if (old.isOptional && !now.isOptional) reportAll(scope, place, now.ways);
  if (!old.isOptional && now.isOptional) report(scope, 'security-made-optional', place);

  const was = old.ways.map((way) => renamed(way, aliases));
  const unmatched = new Set(now.ways);
  for (const way of was) {
    const other = findSame(way, unmatched);
    if (other) {
      unmatched.delete(other);
      compareScopes(scope, place, [way, other]);
      compareSchemes(scope, way.schemes.keys(), aliases);
    } else if (!now.isOptional && !now.ways.some((candidate) => isWithin(candidate, way))) {
      const stricter = [...unmatched].find((candidate) => isWithin(way, candidate));
      if (stricter) unmatched.delete(stricter);
      reportLost(scope, place, { way, stricter });
    }
  }
  if (old.isOptional && !now.isOptional) return;
  for (const way of unmatched)
    report(scope, 'security-alternative-added', { ...place, to: code(way.text), name: way.text });
}

function reportAll(scope: Scope, place: Pointers, ways: Requirement[]): void {
  const text = ways.map((way) => code(way.text)).join(' or ');
  report(scope, 'security-requirement-added', { ...place, to: text, name: text });
}

function reportLost(
  scope: Scope,
  place: Pointers,
  { way, stricter }: { way: Requirement; stricter: Requirement | undefined },
): void {
  if (stricter) reportAll(scope, place, [stricter]);
  else report(scope, 'security-alternative-removed', { ...place, from: code(way.text), name: way.text });
}

function compareScopes(scope: Scope, place: Pointers, [old, now]: [Requirement, Requirement]): void {
  for (const [scheme, to] of now.schemes) {
    const from = old.schemes.get(scheme) ?? [];
    for (const name of to.filter((one) => !from.includes(one)))
      report(scope, 'security-scope-added', { ...place, to: code(name), name: code(scheme) });
    for (const name of from.filter((one) => !to.includes(one)))
      report(scope, 'security-scope-removed', { ...place, from: code(name), name: code(scheme) });
  }
}

/** The requirement of the same schemes, preferably with the same scopes. */
function findSame(way: Requirement, candidates: ReadonlySet<Requirement>): Requirement | undefined {
  const same = [...candidates].filter((other) => isWithin(way, other) && isWithin(other, way));
  return same.find((other) => scopesOf(other) === scopesOf(way)) ?? same[0];
}

function isWithin(one: Requirement, other: Requirement): boolean {
  return [...one.schemes.keys()].every((name) => other.schemes.has(name));
}

function scopesOf({ schemes }: Requirement): string {
  return [...schemes]
    .map(([name, scopes]) => `${name} ${scopes.toSorted().join(' ')}`)
    .sort()
    .join('\n');
}

function renamed({ schemes }: Requirement, aliases: ReadonlyMap<string, string>): Requirement {
  const all = new Map([...schemes].map(([name, scopes]) => [aliases.get(name) ?? name, scopes]));
  return { schemes: all, text: [...all.keys()].join(' and ') };
}
