export { metaLinksOnThread } from './parser-threads/pagesOnThread.ts';
export { rewriteTargetsOnThread, withoutUnsafeTargetsOnThread } from './parser-threads/linksOnThread.ts';
export { parseOnThread } from './parser-threads/parseOnThread.ts';
export { parseForVisitors } from './parser-threads/parseForVisitors.ts';
export { documentToMarkdownOnThread } from './parser-threads/documentToMarkdownOnThread.ts';
export { parsingMemoryMb } from './parser-threads/parserThreads.ts';
export { alignBlocks, likenessOf } from './merge/alignBlocks.ts';
export { describeContentChanges } from './changes/describeContentChanges.ts';
export { collectOrganization, type Collected } from './collect/collectOrganization.ts';
export { inspectStorage, type KindReport } from './collect/inspectStorage.ts';
export { createHashSet, type HashSet } from './collect/hashSet.ts';
export {
  contentOfNode,
  contentOfRecord,
  roots as contentRoots,
  type ContentKind,
  type ContentName,
} from './collect/roots.ts';
export { organizationAfter } from './collect/storedKinds.ts';
export { trimRevisions } from './collect/trimRevisions.ts';
export { computeOnce, prepareKeptResults } from './store/keptResults.ts';
export { contentTypeOf } from './contentType.ts';
export { applyChanges, type AppliedChanges, type PageOutcome } from './edit/applyChanges.ts';
export { previewText } from './edit/previewText.ts';
export { imageFormatOf, recognizedTypes } from './edit/imageFormat.ts';
export { createTreeBuilder, treeBuildingMemoryMb, type TreeBuilder } from './tree-builder/treeBuilder.ts';
export { editedTexts } from './export/editedTexts.ts';
export type { HistoryChanges } from './history/applyHistory.ts';
export type { PageEntry } from './history/historyPart.ts';
export { findPageHistory, loadPageHistory, type PageHistoryLookup } from './history/loadHistory.ts';
export { prepareHistory, removeHistory } from './history/savePageHistory.ts';
export { findHistoryAt, historyPoint, isTextOfBranch } from './history/shownHistory.ts';
export { addContent, refuseClosed } from './import/addContent.ts';
export { importGathered, type Gather, type ImportRun, type ImportTarget } from './import/importGathered.ts';
export { layOutUploads } from './import/layOutUploads.ts';
export { keepMissing } from './import/keepMissing.ts';
export type { NewContent, NewPage } from './import/newPage.ts';
export type { MergeConflict, OpenConflict } from './merge/conflict/conflict.ts';
export { diffContent, type ContentDiff, type ListDiff } from './merge/diffContent.ts';
export { isSame, type PageChange } from './merge/diffTrees.ts';
export type { Choice, Choices } from './merge/conflict/choices.ts';
export {
  findConflicts,
  mergeRevisions,
  prepareMergedRevision,
  type MergedRevisions,
} from './merge/mergeRevisions.ts';
export { buildRevisionContent, type KnownBlobs, type PreviousContent } from './store/buildRevisionContent.ts';
export { changePages } from './store/changePages.ts';
export { copyContent } from './store/copyContent.ts';
export { createSpace, emptyContent, prepareSpace, type NewSpace } from './store/createSpace.ts';
export { findDocument, keepDocuments, loadDocuments, markdownOf, storeDocuments } from './store/documents.ts';
export { duplicateSpace } from './store/duplicateSpace.ts';
export type { FileItem, PageItem, PageTree, ReusableContentItem } from './store/items.ts';
export {
  contentFields,
  findRevision,
  loadRevision,
  insertRevision,
  loadFiles,
  loadReusableContents,
  newRevision,
  prepareChangedRevision,
  prepareRevision,
  type ChangedRevision,
  type ContentOfRevision,
  type NewRevision,
  type RevisionContent,
} from './store/revisions.ts';
export {
  indexPages,
  loadPageIndex,
  loadTree,
  loadTrees,
  type FoundPage,
  type PageIndex,
} from './store/tree.ts';
export { buildTemplate, buildTemplateSpace, type TemplateReferences } from './template/buildTemplate.ts';
export { isTemplate, templateIds, type TemplateId } from './template/templates.ts';
export { openTree, type ContentTree } from './tree/contentTree.ts';
export { childrenOf, treeOf, type LocatedPage, type PageLookup } from './tree/pageLookup.ts';
export { freeSlug, repath } from './tree/pagePaths.ts';
export type { TreePosition, TreeEdit } from './tree/treeEdit.ts';
export {
  describeOpenapiBlocks,
  excerptsFor,
  loadSpecOutline,
  specsNamedBy,
  specsShownIn,
  type ReadableSpecs,
} from './openapi/specReader.ts';
export { expandComputed, type ExpandedPages } from './openapi/expandComputed.ts';
export { specPageDocument } from './openapi/specPageDocument.ts';
export {
  findLatestVersions,
  findVersions,
  findVersionsOf,
  specsByName,
  type SpecVersion,
} from './openapi/specVersions.ts';
export { createResolver, type ReferenceContext } from './references/createResolver.ts';
export { crossSpaces, spacesNamed } from './references/crossSpaces.ts';
export { groupLinks, type LinkOccurrence, type TargetLinks } from './references/groupLinks.ts';
export type { DocumentFacts } from './references/documentFacts.ts';
export { factsKey } from './references/loadFacts.ts';
export { storeFacts } from './references/storeFacts.ts';
export { judgeTargets } from './references/judgeTargets.ts';
export { contentRootOf } from './references/contentRoot.ts';
export { onlyShown } from './references/onlyShown.ts';
export { shownTargets, type ShownTargets } from './references/shownTargets.ts';
export { placesInOtherSpace, placesThatReferTo, type LinkedItem } from './references/linksInto.ts';
export { loadReferenceContext, type RevisionReferences } from './references/referenceContext.ts';
export type { LinkTarget } from './references/resolveLinks.ts';
export { loadLinksOf, loadRevisionLinks, type SourceLinks } from './references/revisionLinks.ts';
export {
  findMentions,
  findSpacesWithSpecs,
  loadSpecsNamed,
  recordMentions,
  withoutMentions,
} from './references/spaceMentions.ts';
export { readUnindexedLinks } from './references/readUnindexedLinks.ts';
export { isInApplication, spaceNamedIn } from './references/spaceUrl.ts';
export { targetOf } from './references/targetOf.ts';
export { takeTurns } from './takeTurns.ts';
export { variablesOf, variableValues } from './tree/variables.ts';
export { changedPages, type PlacedPage } from './search/changedPages.ts';
export { prepareComputed } from './search/computedPages.ts';
export { indexedPage } from './search/indexedPage.ts';
export type { ComputedPages } from './search/indexParts.ts';
export type { RankedPage } from './search/rankPages.ts';
export { weighWords } from './search/weigh.ts';
export { searchPages, showPages, type FoundPages, type ShownPage } from './search/searchPages.ts';
