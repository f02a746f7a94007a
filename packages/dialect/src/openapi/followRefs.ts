import { placeOf } from './pointer.ts';
import { isPart, type Part } from './specification.ts';
import type { SpecificationFile } from './specificationFile.ts';

/** References may lead to references, in the end to themselves. */
const mostHops = 10;

/** The object that a value is, or refers to; an empty one for anything else. */
export function followRefs(file: SpecificationFile, value: unknown): Part {
  let found = value;
  for (let hop = 0; hop < mostHops; hop += 1) {
    const place = isPart(found) ? placeOf(found['$ref']) : undefined;
    if (!place) break;
    found = file.at(place);
  }
  return isPart(found) && found['$ref'] === undefined ? found : {};
}
