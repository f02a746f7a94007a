/**
 * Whether a text in one language counts as one in another: `es-ES` as `es`, but not the other way, because a
 * region that is wanted matters.
 */
export function countsAs(language: string, wanted: string): boolean {
  const [is, want] = [normalized(language), normalized(wanted)];
  return is === want || is.startsWith(`${want}-`);
}

export function isSameLanguage(language: string, other: string): boolean {
  return normalized(language) === normalized(other);
}

function normalized(language: string): string {
  return language.toLowerCase().replaceAll('_', '-');
}
