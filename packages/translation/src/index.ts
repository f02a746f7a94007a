/** Pages as segments with placeholders, and back; what a translation of a segment has to fulfil. */
export { checkTranslation, type FailureCode, type TranslationFailure } from './checks/checkTranslation.ts';
export { pseudoLocale, pseudoLocaleName } from './engine/pseudoLocale.ts';
export { humanKey, segmentKey, type SegmentSource } from './memory/segmentKey.ts';
export { similarityOfWords, wordsToCompare } from './memory/similarity.ts';
export { type WordClass, type WordStatistics, wordStatistics } from './memory/wordStatistics.ts';
export { normalized } from './page/escapeText.ts';
export { joinPage } from './page/joinPage.ts';
export { joinSafely } from './page/joinSafely.ts';
export type { PageTitles } from './page/keepAnchors.ts';
export { type PageShape, pageShape, shapeDifferences } from './page/pageShape.ts';
export { type Segment, type SegmentRole, segmentRoles } from './page/segment.ts';
export { segmentPage, type SegmentedPage } from './page/segmentPage.ts';
export { countWords } from './text/countWords.ts';
export { type Glossary, glossaryOf, type Term, termsIn } from './text/glossary.ts';
export { type Part, partsOfText, textOfParts, wordsOfParts } from './text/parts.ts';
