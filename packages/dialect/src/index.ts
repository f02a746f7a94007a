/**
 * The Markdown dialect: documents and conditions. This entry point loads the schemas of `@bindery/contract`.
 *
 * The other entry points (`/frontmatter`, `/links`, `/page-source`, `/repository-format`,
 * `/repository-reader`, `/syntax`) load no schema, because the child processes that read foreign repositories
 * and archives import them: schemas would take a third of their start time.
 */
export { type VisitorClaims, isConditionMet } from './condition/isConditionMet.ts';
export { codeBlock } from './blocks/code/codeBlock.ts';
export { conditionProblem } from './condition/parseCondition.ts';
export { claimsLimitBytes, reduceClaims } from './condition/reduceClaims.ts';
export { templateConditions } from './condition/templateConditions.ts';
export { hasTagText, withoutConditional } from './condition/withoutConditional.ts';
export { conditionsIn, numberChains } from './document/conditionChains.ts';
export { documentToMarkdown } from './document/documentToMarkdown.ts';
export {
  type DocumentVariables,
  type Evaluation,
  evaluateDocument,
  isChainMet,
} from './document/evaluateDocument.ts';
export { anchoredHeadings, type AnchoredHeading, anchorsOf } from './document/headingAnchors.ts';
export { headingsOf } from './document/headingsOf.ts';
export { inlineReusableContents } from './document/inlineReusableContents.ts';
export { markdownToDocument } from './document/markdownToDocument.ts';
export { parseDocument, parseWithoutKeys } from './document/parseDocument.ts';
export { addQuestionsOf, noQuestions, outcomesOf, type Questions } from './document/questions.ts';
export { type FoundReference, referencesOf } from './document/referencesOf.ts';
export { renderNodes } from './document/renderNodes.ts';
export { resolveDocument } from './document/resolveDocument.ts';
export { withSafeReferences } from './document/safeReferences.ts';
export { metaLinksOf } from './frontmatter/metaLinks.ts';
export { stableTarget, type Reference, type TargetOf } from './links/writeRefs.ts';
export { nameOfTarget } from './links/writeRefs.ts';
export { emojiOfCode } from './tree/emoji.ts';
export { wordsOf } from './tree/nodes.ts';
export {
  classes,
  element,
  elementNames,
  type Html,
  type HtmlAttributes,
  type HtmlElement,
  type InsertedHtml,
  type PendingHtml,
} from './tree/html.ts';
export type { BlockWords, CodeToken, RenderContext, RenderedLink } from './tree/renderContext.ts';
