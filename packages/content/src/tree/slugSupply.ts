const maxSlugLength = 100;

/**
 * Assigns unique slugs to sibling pages that are added together, with the next free number for a taken slug.
 * Numbers are never tried twice, so a slug that thousands of pages want costs each of them the same.
 *
 * @param isTaken  tells whether an existing page has the slug
 */
export function slugSupply(isTaken: (slug: string) => boolean = () => false): (wanted: string) => string {
  const given = new Set<string>();
  /** For each slug without its number, the next number to try. */
  const next = new Map<string, number>();
  const take = (slug: string) => {
    if (isTaken(slug) || given.has(slug)) return false;
    given.add(slug);
    return true;
  };
  return (wanted) => {
    const slug = wanted.slice(0, maxSlugLength);
    if (take(slug)) return slug;
    // A longer number leaves less space for the slug.
    for (let digits = 1; ; digits += 1) {
      const stem = slug.slice(0, maxSlugLength - 1 - digits);
      const key = `${digits} ${stem}`;
      const end = 10 ** digits;
      for (let number = next.get(key) ?? end / 10; number < end; number += 1) {
        const numbered = `${stem}-${number}`;
        if (!take(numbered)) continue;
        next.set(key, number + 1);
        return numbered;
      }
      next.set(key, end);
    }
  };
}
