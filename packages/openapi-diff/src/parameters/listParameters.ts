import { follow, type Located, type SpecDocument } from '../engine/document.ts';
import { asArray, asObject } from '../engine/json.ts';
import type { OperationEntry } from '../operations/listOperations.ts';
import { pathParameters } from '../operations/pathTemplate.ts';

/** A parameter of an operation; `key` is the same for the same parameter of two documents. */
export type Parameter = { key: string; name: string; in: string; located: Located };

/** The parameters of an operation and of its path item, of which the operation's own win. */
export function listParameters(document: SpecDocument, entry: OperationEntry): Map<string, Parameter> {
  const positions = new Map(pathParameters(entry.path).map((name, index) => [name, index]));
  const parameters = new Map<string, Parameter>();
  for (const owner of [entry.item, entry.operation]) {
    asArray(owner.node['parameters']).forEach((value, index) => {
      const pointer = `${owner.pointer}/parameters/${index}`;
      const located = follow(document, { node: asObject(value), pointer });
      const parameter = parameterOf(located, positions);
      if (parameter) parameters.set(parameter.key, parameter);
    });
  }
  return parameters;
}

function parameterOf(located: Located, positions: ReadonlyMap<string, number>): Parameter | undefined {
  const { name, in: place } = located.node;
  if (typeof name !== 'string' || typeof place !== 'string' || !places.has(place)) return undefined;
  if (place === 'header' && describedElsewhere.has(name.toLowerCase())) return undefined;
  return { key: keyOf(name, place, positions), name, in: place, located };
}

/** Path parameters are known by their position, because their names are not part of a request. */
function keyOf(name: string, place: string, positions: ReadonlyMap<string, number>): string {
  const position = place === 'path' ? positions.get(name) : undefined;
  return `${place} ${position ?? (place === 'header' ? name.toLowerCase() : name)}`;
}

/** OpenAPI ignores parameters of these names: bodies and security describe them. */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);

const places = new Set(['path', 'query', 'header', 'cookie', 'querystring']);
