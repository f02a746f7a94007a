/** The properties that a pointer inside of a schema passes: `owner.tags[]`; an empty text for the schema. */
export function propertyPath(steps: readonly string[]): string {
  let path = '';
  for (let at = 0; at < steps.length;) {
    const [step = '', name = ''] = steps.slice(at, at + 2);
    const [length, text] = readStep(step, name);
    path += path === '' && text.startsWith('.') ? text.slice(1) : text;
    at += length;
  }
  return path;
}

/** Returns the number of steps that belong together, and the text that they add to the path. */
function readStep(step: string, name: string): [length: number, text: string] {
  switch (step) {
    case 'properties':
      return [2, `.${name}`];
    case 'patternProperties':
      return [2, `./${name}/`];
    case 'additionalProperties':
      return [1, '.*'];
    case 'items':
      return [1, '[]'];
    case 'prefixItems':
      return [2, `[${name}]`];
    case 'oneOf':
    case 'anyOf':
    case 'allOf':
      return [2, ''];
    default:
      return [1, ''];
  }
}
