import { isSafeTarget, leadsOutside } from '@bindery/contract/linkTarget';
import type { PageFrontmatter } from '../../frontmatter/frontmatterFields.ts';

type Url = { kind: 'url'; url: string };

/**
 * Returns the cover of the frontmatter; undefined without a picture for light or dark mode.
 *
 * @param pathTo  resolves a path; undefined when nothing is there
 */
export function coverFrom<Target>(
  { cover, coverY, coverHeight }: PageFrontmatter,
  pathTo: (written: string) => Target | undefined,
): { ref?: Target | Url; refDark?: Target | Url; yPos: number; heightPixels?: number } | undefined {
  const targetOf = (written: string | undefined): Target | Url | undefined => {
    if (written === undefined || !isSafeTarget(written, 'picture')) return undefined;
    return leadsOutside(written) ? { kind: 'url', url: written } : pathTo(written);
  };
  const ref = targetOf(cover?.light);
  const refDark = targetOf(cover?.dark);
  if (!ref && !refDark) return undefined;
  return { ref, refDark, yPos: coverY ?? 0, heightPixels: coverHeight };
}
