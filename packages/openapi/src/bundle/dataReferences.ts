import { isPart, type Part } from '../source/parts.ts';
import { shapeOf, type Shape } from '../source/structure.ts';

/**
 * Keys that the bundler follows in data too, where they mean nothing: `$ref` in examples, defaults and
 * extensions, and the address of an external example, which readers open themselves.
 */
const followed = new Map([
  ['$ref', 'x-bindery-data-ref'],
  ['externalValue', 'x-bindery-external-value'],
]);
const original = new Map([...followed].map(([key, hidden]) => [hidden, key]));

/** Gives these keys other names in all data below a value of a known shape. */
export function hideDataReferences(value: unknown, shape: Shape | 'data'): void {
  if (Array.isArray(value)) {
    for (const element of value) hideDataReferences(element, shape);
    return;
  }
  if (!isPart(value)) return;
  if (shape === 'data') rename(value, followed);
  else if (shape === 'example') rename(value, new Map([...followed].filter(([key]) => key !== '$ref')));
  for (const key in value) hideDataReferences(value[key], shape === 'data' ? shape : shapeOf(key, shape));
}

/** Gives the keys their names back. */
export function showDataReferences(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (isPart(value)) rename(value, original);
  for (const member of Object.values(value)) showDataReferences(member);
}

/** Keeps the order of the keys. */
function rename(part: Part, names: ReadonlyMap<string, string>): void {
  const entries = Object.entries(part);
  if (!entries.some(([key]) => names.has(key))) return;
  for (const [key] of entries) delete part[key];
  for (const [key, value] of entries) part[names.get(key) ?? key] = value;
}
