/**
 * The size at which a chunk is full, and the largest size of one that is not a single piece of a page, in
 * bytes of HTML. Chromium needs less memory for small chunks, and each has a fixed cost: this size was the
 * fastest of those tried with books of 1,000 pages.
 */
export const chunkBytes = { full: 150_000, max: 350_000 } as const;

/** Pictures of a chunk, in bytes of their files: they are in memory together. */
export const maxPictureBytes = 24 * 1024 * 1024;
/** A larger picture is not printed. */
export const maxBytesOfPicture = 16 * 1024 * 1024;
/**
 * Pixels of a picture, and of those of a chunk together: a PNG of 1 MB may have 256 million, which take
 * Chromium more memory than it may have, and would fail the whole book. Photos in JPEG do not count in a
 * chunk: they come into the PDF as they are.
 */
export const maxPixels = { picture: 50_000_000, chunk: 100_000_000 } as const;

/** Sheets of a whole book. */
export const maxSheets = 10_000;

/** The time for a whole book; one near `maxSheets` takes less than the deadline of its job. */
export function bookMs(pages: number): number {
  return 60_000 + 200 * pages;
}

/** The time that parts of a book which fail may take beside it: one bad page takes some 90 s at most. */
export const fallbackMs = 10 * 60_000;
/** Merges that may fail in a book; it is printed from its beginning after each. */
export const maxFailedMerges = 3;

/**
 * The time in which a page is usually rendered, and what slower pages of a book may take beside it together:
 * then code and formulas of the later ones are not typeset.
 */
export const renderingMs = { usual: 2_000, slowPages: 10_000 } as const;

/**
 * A larger page is printed as its source. Pages have some 110 elements; one of this size takes Chromium a
 * third of the time for a chunk.
 */
export const pageLimits = { elements: 8_000, characters: 2_000_000 };
