import { isPart, type Part } from './parts.ts';
import { shapeOf, type Shape } from './structure.ts';

/** Keys and indexes from the root to the visited object; changes during the walk. */
export type Path = (string | number)[];

export type Visit = (part: Part, shape: Shape, path: Path) => void;

/**
 * Calls `visit` for each object of a specification before the objects in it; follows no reference and omits
 * data, such as examples and extensions. Members of an object may be set or removed by `visit`.
 */
export function walk(value: unknown, { shape, path }: { shape: Shape; path: Path }, visit: Visit): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      walk(value[index], { shape, path }, visit);
      path.pop();
    }
    return;
  }
  if (!isPart(value)) return;
  visit(value, shape, path);
  for (const key in value) {
    const member = value[key];
    if (typeof member !== 'object' || member === null) continue;
    const inner = shapeOf(key, shape);
    if (inner === 'data') continue;
    path.push(key);
    walk(member, { shape: inner, path }, visit);
    path.pop();
  }
}
