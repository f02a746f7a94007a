import { documentLimits } from '@bindery/contract';

/** A marked text in a link takes nine levels below the block that it stands in. */
export const deepestBlock = documentLimits.depth - 9;

/** Longer sources are kept as text: reading them takes longer than a page may, and as a tree they would be more than a tree may hold. */
export const maxSource = 250_000;
export const maxLines = 10_000;

/** What a tree may hold: values of its JSON, and characters. Somewhat less than what is refused, as references grow when they are resolved. */
export const maxValues = documentLimits.nodes - 500;
export const maxCharacters = 3_600_000;
