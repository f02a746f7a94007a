/** An object of a document; nobody checked its form. */
export type Part = Record<string, unknown>;

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of its own, never one of the prototype: a schema may be called `constructor`. */
export function memberOf(part: unknown, name: string): unknown {
  return isPart(part) && Object.hasOwn(part, name) ? part[name] : undefined;
}

export function partIn(part: unknown, name: string): Part | undefined {
  const value = memberOf(part, name);
  return isPart(value) ? value : undefined;
}

export function textIn(part: unknown, name: string): string | undefined {
  const value = memberOf(part, name);
  return typeof value === 'string' ? value : undefined;
}

/** A member that is a text, or a number as text. */
export function scalarIn(part: unknown, name: string): string | undefined {
  const value = memberOf(part, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function listIn(part: unknown, name: string): unknown[] {
  const value = memberOf(part, name);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function membersIn(part: unknown, name: string): [string, unknown][] {
  return Object.entries(partIn(part, name) ?? {});
}
