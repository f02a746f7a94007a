/** A path below `/v1`: the values are encoded, and parameters without a value are left out. */
export function apiPath(strings: TemplateStringsArray, ...values: readonly (string | Parameters)[]): string {
  return String.raw(
    { raw: strings },
    ...values.map((value) => (typeof value === 'string' ? encodeURIComponent(value) : queryOf(value))),
  );
}

type Parameters = Readonly<Record<string, string | number | undefined>>;

function queryOf(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return `?${query.toString()}`;
}
