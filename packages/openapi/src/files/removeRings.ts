import type { Findings } from '../findings.ts';
import type { Reference, Target } from './references.ts';

/**
 * Reports references that only lead to each other, such as a schema that is nothing but a reference to
 * itself, and removes them: what they stand for is anything.
 *
 * @param chains  by its object, each reference whose target is a reference again
 */
export function removeRings(
  chains: ReadonlyMap<object, { reference: Reference; target: Target }>,
  findings: Findings,
): void {
  const finished = new Set<object>();
  for (const start of chains.keys()) {
    const way: object[] = [];
    const onWay = new Set<object>();
    let holder: object | undefined = start;
    while (holder !== undefined && !finished.has(holder) && !onWay.has(holder)) {
      way.push(holder);
      onWay.add(holder);
      const value: unknown = chains.get(holder)?.target.value;
      holder = typeof value === 'object' && value !== null && chains.has(value) ? value : undefined;
    }
    if (holder !== undefined && onWay.has(holder)) {
      for (const member of way.slice(way.indexOf(holder))) {
        const { reference } = chains.get(member) ?? {};
        if (!reference) continue;
        delete reference.holder['$ref'];
        findings.add({
          severity: 'error',
          rule: 'reference-ring',
          message: `The reference ${reference.ref} leads back to itself and describes nothing.`,
          source: reference.source,
          pointer: `${reference.pointer}/$ref`,
        });
      }
    }
    for (const passed of way) finished.add(passed);
  }
}
