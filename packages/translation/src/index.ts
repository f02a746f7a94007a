export { pseudoLocale, pseudoLocaleName } from './engine/pseudoLocale.ts';
export { joinPage } from './page/joinPage.ts';
export type { Segment, SegmentRole } from './page/segment.ts';
export { segmentPage, type SegmentedPage } from './page/segmentPage.ts';
export { countWords } from './text/countWords.ts';
export { partsOfText, textOfParts, type Part } from './text/parts.ts';
