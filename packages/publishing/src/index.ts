/** Published sites: the site that a URL names, who may see it, and what its visitors see. */
export { asSource } from './content/asSource.ts';
export { findPageAt } from './content/findPageAt.ts';
export { findLinkedSpaces } from './content/linkedSpaces.ts';
export { markdownOfPage, tooLongToRead } from './content/markdownOfPage.ts';
export { isSubstitute, loadParsedDocument } from './content/parsedDocument.ts';
export { type DocumentReading, loadParsed, readDocument } from './content/readDocument.ts';
export { isWrittenAnew, readMarkdown } from './content/readMarkdown.ts';
export {
  type DocumentOwner,
  type ReadReferences,
  loadReferences,
  resolverFor,
} from './content/references.ts';
export { loadShownContent } from './content/shownContent.ts';
export { loadShownPages } from './content/shownPages.ts';
export { withinTime } from './content/withinTime.ts';
export { findRedirect, maxHops } from './redirects/findRedirect.ts';
export { type RedirectPath, beginningsOf, redirectPath } from './redirects/redirectPath.ts';
export { type SiteContext, siteContext } from './redirects/siteContext.ts';
export { basesOf, pathWithin, targetUrl } from './redirects/targetUrl.ts';
export { createAppLinks, type AppLinks } from './site/appLinks.ts';
export { asksForFeedback } from './site/asksForFeedback.ts';
export { changedOverrides, effectiveCustomization } from './site/effectiveCustomization.ts';
export { isSpaceShown, shownTo, withoutDeleted } from './site/shownTo.ts';
export { type SiteTree, compareCursors, loadSiteTree } from './site/siteTree.ts';
export {
  type SiteUrlContext,
  ownSiteUrl,
  previewUrl,
  sectionPath,
  siteSpacePath,
  siteUrl,
} from './site/siteUrl.ts';
export { findSpecsOfVisitor, maxSpecNames } from './specs/specsOfVisitor.ts';
export { decoded, findSiteByUrl, type FoundSite } from './url/findSiteByUrl.ts';
export { locateVisit, pathOf, type Visit } from './url/locateVisit.ts';
export { resolvePublishedUrl } from './url/resolvePublishedUrl.ts';
export { adaptiveSchemaOf } from './visitor/adaptiveSchemaOf.ts';
export { admitVisitor } from './visitor/admitVisitor.ts';
export { type ContentToken, looksLikeContentToken, signContentToken } from './visitor/contentToken.ts';
export { findVisitor } from './visitor/findVisitor.ts';
export { pathWithoutToken } from './visitor/pathWithoutToken.ts';
export { readPreview, signPreview } from './visitor/preview.ts';
export { loadPublishingAuth, privateKeyOf, sealedNewKey } from './visitor/publishingAuth.ts';
export { findShareLink, newShareLink, shareKeyOf } from './visitor/shareLinkKey.ts';
export { verifyVisitorToken } from './visitor/verifyVisitorToken.ts';
export type { ContentReader, Visitor } from './visitor/visitor.ts';
