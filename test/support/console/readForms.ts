/** A form that a page offers. */
export type OfferedForm = {
  action: string;
  /** Its hidden fields, and the box that confirms it. */
  fields: Record<string, string>;
  /** Whether it asks to be confirmed, because it takes something away. */
  isFinal: boolean;
};

/** The forms of a page that write, without the one that signs out. */
export function formsOf(text: string): OfferedForm[] {
  return text
    .split('<form method="post" action="')
    .slice(1)
    .map((rest) => {
      const [opening = '', ...inside] = (rest.split('</form>')[0] ?? '').split('">');
      const [action = ''] = opening.split('"');
      return { action, ...fieldsIn(inside.join('">')) };
    })
    .filter(({ action }) => action !== '/sign-out');
}

function fieldsIn(text: string): Pick<OfferedForm, 'fields' | 'isFinal'> {
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const isFinal = text.includes('name="confirm"');
  return { isFinal, fields: { ...Object.fromEntries(hidden), ...(isFinal && { confirm: 'true' }) } };
}

/** A path of a route with its parameters. @throws Error for one without a value */
export function fillIn(path: string, values: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`"everything.ts" has no value for :${name} in ${path}.`);
    return encodeURIComponent(value);
  });
}
