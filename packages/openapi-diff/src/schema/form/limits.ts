import type { JsonObject } from '../../engine/json.ts';

/** A limit of numbers; an exclusive one does not allow the value itself. */
export type NumberLimit = { value: number; isExclusive: boolean };

/** `minimum` and `exclusiveMinimum`, a boolean in 3.0 and a number since 3.1. */
export function lowerLimitOf(node: JsonObject): NumberLimit | undefined {
  return stricter(node, { plain: 'minimum', exclusive: 'exclusiveMinimum', sign: 1 });
}

/** `maximum` and `exclusiveMaximum`. */
export function upperLimitOf(node: JsonObject): NumberLimit | undefined {
  return stricter(node, { plain: 'maximum', exclusive: 'exclusiveMaximum', sign: -1 });
}

/** The limits of numbers in the spelling of 3.1, which two schemas can be merged in. */
export function inNumbers(node: JsonObject): JsonObject {
  const { exclusiveMinimum, exclusiveMaximum } = node;
  if (typeof exclusiveMinimum !== 'boolean' && typeof exclusiveMaximum !== 'boolean') return node;
  const {
    minimum: _minimum,
    maximum: _maximum,
    exclusiveMinimum: _from,
    exclusiveMaximum: _to,
    ...rest
  } = node;
  const lower = lowerLimitOf(node);
  const upper = upperLimitOf(node);
  return {
    ...rest,
    ...(lower && { [lower.isExclusive ? 'exclusiveMinimum' : 'minimum']: lower.value }),
    ...(upper && { [upper.isExclusive ? 'exclusiveMaximum' : 'maximum']: upper.value }),
  };
}

/** @param names.sign 1 for lower limits, where the larger one is stricter; -1 for upper ones */
function stricter(
  node: JsonObject,
  names: { plain: string; exclusive: string; sign: 1 | -1 },
): NumberLimit | undefined {
  const plain = node[names.plain];
  const exclusive = node[names.exclusive];
  const value = typeof plain === 'number' ? plain : undefined;
  if (typeof exclusive === 'number' && (value === undefined || (exclusive - value) * names.sign >= 0))
    return { value: exclusive, isExclusive: true };
  return value === undefined ? undefined : { value, isExclusive: exclusive === true };
}
