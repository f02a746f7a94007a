/** Limits on the cost of a hostile repository. */
export type ContentLimits = {
  /** A larger page is imported without being parsed. */
  scannedBytes: number;
  summaryBytes: number;
  /** Limit for frontmatter and variables. */
  yamlBytes: number;
  /** Limit for `.gitbook.yaml`: real ones with a long history of redirects reach 90 KB. */
  configurationBytes: number;
  /** Levels of nested pages; deeper ones move up to this level. */
  pageDepth: number;
  pages: number;
  /** Warnings of one kind; the last one counts the rest. */
  warningsPerCode: number;
};

export const contentLimits: ContentLimits = {
  scannedBytes: 2_000_000,
  summaryBytes: 2_000_000,
  yamlBytes: 64_000,
  configurationBytes: 512_000,
  pageDepth: 64,
  pages: 50_000,
  warningsPerCode: 200,
};
