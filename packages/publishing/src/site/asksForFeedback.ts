import type { PageTree } from '@bindery/content';
import type { SiteRecord, SiteSpaceRecord } from '@bindery/models';
import { effectiveCustomization } from './effectiveCustomization.ts';

/**
 * Whether a page of a site asks its readers if it was helpful: where the customization says so, and the
 * author left the actions of the page visible.
 */
export function asksForFeedback(
  page: PageTree,
  { site, siteSpace }: { site: SiteRecord; siteSpace: SiteSpaceRecord },
): boolean {
  return (
    page.type === 'document' &&
    page.layout?.actions !== false &&
    effectiveCustomization(site, siteSpace).feedback.enabled
  );
}
