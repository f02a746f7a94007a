/** The source of a page with positions, for programs that edit it in place. */
export { withoutEntities } from '../syntax/attributes.ts';
export { isInlineElement, isKnownElement } from '../syntax/elementNames.ts';
export { rangeOf } from '../syntax/sourceOfNode.ts';
export { type PlacedToken, tokenizeHtml } from '../syntax/tokens.ts';
export { escapedHtml, htmlValue, tagValue } from '../syntax/writeTags.ts';
export { anchorTag, maxAnchorLength } from '../tree/anchors.ts';
export { emojiCode } from '../tree/emoji.ts';
export { maxSource } from '../tree/limits.ts';
export { placedTags, sourceParser } from './sourceParser.ts';
