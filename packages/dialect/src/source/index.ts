/** The source of a page with positions, for programs that edit it in place. */
export { withoutEntities } from '../syntax/attributes.ts';
export { isInlineElement, isKnownElement } from '../syntax/elementNames.ts';
export { rangeOf } from '../syntax/sourceOfNode.ts';
export { type PlacedToken, tokenizeHtml } from '../syntax/tokens.ts';
export { escapedHtml, htmlValue, tagValue } from '../syntax/writeTags.ts';
export { emojiCode } from '../tree/emoji.ts';
export { placedTags, sourceParser } from './sourceParser.ts';
