type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** A sentence with a number in place of `#`, in the form that the language has for that number. */
export function pluralOf(language: string, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(language);
  return (count) => (forms[rules.select(count)] ?? forms.other).replace('#', String(count));
}
