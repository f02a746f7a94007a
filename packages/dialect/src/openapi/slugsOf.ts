import { slugOfTitle } from '../repository-format/paths.ts';
import type { SpecificationPage } from './pages.ts';

/** The slugs of pages that stand beside each other, in their order; `isTaken` for those of other pages. */
export function slugsOf(
  pages: readonly Pick<SpecificationPage, 'title'>[],
  isTaken: (slug: string) => boolean = () => false,
): string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return pages.map(({ title }) => {
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
