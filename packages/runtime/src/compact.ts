/** An object whose properties that may be undefined are absent instead. */
export type Compact<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Copies an object without its undefined properties.
 *
 * For objects of which the presence of a property counts: fields that an update sets and filters of a search
 * (MongoDB takes undefined for null), and what is spread over defaults. JSON, the hash of a content node and
 * an insertion through mongoose omit undefined properties themselves.
 */
export function compact<T extends object>(object: T): Compact<T> {
  const kept = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as Compact<T>;
}
