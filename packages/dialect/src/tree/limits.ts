import { documentLimits } from '@bindery/contract/jsonLimits';

/** A marked text in a link takes nine levels below its block. */
export const deepestBlock = documentLimits.depth - 9;

/**
 * Longer sources are kept as text: parsing them would take too long, and their tree would exceed the limits.
 */
export const maxSource = 250_000;
export const maxLines = 10_000;

/**
 * The limits of a tree: values of its JSON, and characters. Somewhat below the limits of validation, because
 * references grow when they are resolved.
 */
export const maxValues = documentLimits.nodes - 500;
export const maxCharacters = 3_600_000;
