/**
 * Stands where a target is that the reader may not know of. No reference resolves to anything by this name.
 */
export const brokenReference = 'broken-reference';
