/**
 * The page to show after a sign-in: a path of the console, else the overview. A text that browsers read as a
 * URL of another site is none.
 */
export function ownPath(given: string | null): string {
  const base = 'http://console.invalid';
  const url = given === null ? null : URL.parse(given, base);
  if (!url || url.origin !== base || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}
