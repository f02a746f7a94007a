import { slugOfTitle } from './paths.ts';

/** The slugs of titles of pages beside each other, in their order. `isTaken`: whether another page has it. */
export function slugsOfTitles(
  titles: readonly string[],
  isTaken: (slug: string) => boolean = () => false,
): string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return titles.map((title) => {
    const plain = slugOfTitle(title, 'page');
    let slug = plain;
    let count = counts.get(plain) ?? 0;
    do {
      count += 1;
      slug = count === 1 ? plain : `${plain}-${count}`;
    } while (used.has(slug) || isTaken(slug));
    counts.set(plain, count);
    used.add(slug);
    return slug;
  });
}
