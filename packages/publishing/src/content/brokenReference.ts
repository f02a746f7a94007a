/** Replaces a target that the reader may not know of. No reference resolves to this name. */
export const brokenReference = 'broken-reference';
