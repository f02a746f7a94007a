import { z } from 'zod';

type Schema = { [key: string]: unknown };

/**
 * Lists the fields of a body that contain an id: `parent`, `position.before.space`, `users[]`,
 * `memberships{}` for the keys of a map.
 *
 * An id is recognized by its schema: text of at least one character, with no upper limit in the document.
 */
export function idFieldsOf(body: z.ZodType): string[] {
  const { $defs = {}, ...schema } = z.toJSONSchema(body, {
    io: 'input',
    unrepresentable: 'any',
  }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const found = new Set<string>();
  const walk = (node: unknown, path: string, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > 12) return;
    const {
      type,
      minLength,
      maxLength,
      enum: words,
      pattern,
      format,
      $ref,
      properties,
      items,
      additionalProperties,
      propertyNames,
      ...rest
    } = node as Schema;
    if (typeof $ref === 'string') walk($defs[$ref.slice($ref.lastIndexOf('/') + 1)], path, depth + 1);
    if (type === 'string' && minLength === 1 && maxLength === undefined && !words && !pattern && !format)
      found.add(path);
    for (const [name, field] of Object.entries(properties ?? {}))
      walk(field, path === '' ? name : `${path}.${name}`, depth + 1);
    walk(items, `${path}[]`, depth + 1);
    walk(propertyNames, `${path}{}`, depth + 1);
    walk(additionalProperties, `${path}{}`, depth + 1);
    for (const several of [rest['anyOf'], rest['oneOf'], rest['allOf']])
      if (Array.isArray(several)) several.forEach((option) => walk(option, path, depth + 1));
  };
  walk(schema, '', 0);
  return [...found].toSorted();
}
