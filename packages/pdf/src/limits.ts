/**
 * Limits for one chunk and for the book. They are several times what Chromium prints at most, so that only a
 * damaged or hostile chunk reaches one.
 */
export const limits = {
  chunkBytes: 256 * 1024 * 1024,
  chunkObjects: 1_000_000,
  /** Arrays and dictionaries in each other. */
  valueDepth: 32,
  /** Objects in each other: fonts in forms in patterns. */
  resourceDepth: 24,
  structureDepth: 512,
  /** Bytes parsed, and bytes in streams, as a multiple of the chunk: objects may not overlap. */
  overlap: 3,
  inflatedStreamBytes: 64 * 1024 * 1024,
  inflatedChunkBytes: 512 * 1024 * 1024,
  /**
   * The longest address that readers of PDF accept; diagrams are often stored in the address of their editor.
   */
  addressCharacters: 32_000,
  sheets: 10_000,
  bookObjects: 8_000_000,
  bookBytes: 2 ** 32 - 2 ** 20,
  outlineEntries: 200_000,
  outlineDepth: 32,
  reportedLinks: 100,
  /** Time for one message to the thread; it is ended after that. */
  messageMs: 120_000,
} as const;
