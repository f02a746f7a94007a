import { nearestPath, type OpenapiBlock } from './blockTargets.ts';
import type { SpecificationOutline } from './outline.ts';
import { listIn, textIn } from './specification.ts';

/**
 * A part of a specification that a block names: `['operation', method, path]`, `['webhook', method, name]` or
 * `['schema', name]`, with the method in lower case.
 */
export type SpecPart = readonly string[];

/** The parts that a block names; none for other blocks. */
export function partsOfBlock({ type, data }: OpenapiBlock): SpecPart[] {
  const method = textIn(data, 'method').toLowerCase();
  switch (type) {
    case 'openapi-operation':
      return [['operation', method, textIn(data, 'path')]];
    case 'openapi-webhook':
      return [['webhook', method, textIn(data, 'name')]];
    case 'openapi-schemas': {
      const names = listIn(data, 'schemas').filter((name): name is string => typeof name === 'string');
      return [...new Set(names)].map((name) => ['schema', name]);
    }
    default:
      return [];
  }
}

/** Whether a specification has a part, and its author does not hide it. */
export function hasPart(outline: SpecificationOutline, part: SpecPart): boolean {
  const known = partsOf(outline);
  const [kind = '', ...names] = part;
  const name = names.at(-1) ?? '';
  const before = [kind, ...names.slice(0, -1)];
  return nearestPath(name, (each) => known.has(JSON.stringify([...before, each]))) !== undefined;
}

const parts = new WeakMap<SpecificationOutline, ReadonlySet<string>>();

function partsOf(outline: SpecificationOutline): ReadonlySet<string> {
  const known = parts.get(outline);
  if (known) return known;
  const found = new Set<string>();
  for (const { method, path } of outline.operations) found.add(JSON.stringify(['operation', method, path]));
  for (const { method, name } of outline.webhooks) found.add(JSON.stringify(['webhook', method, name]));
  for (const name of outline.schemas) found.add(JSON.stringify(['schema', name]));
  parts.set(outline, found);
  return found;
}
