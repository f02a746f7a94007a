/** The parameters in a path such as `/pets/{petId}`. */
export const placeholders = /\{([^{}]*)\}/g;

/** The names of the parameters of a path, in its order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(placeholders)].map(([, name = '']) => name);
}
