/** Bounds that keep a hostile repository from costing more than its share. */
export type ContentLimits = {
  /** A page that is larger stays a page, but is not looked into. */
  scannedBytes: number;
  summaryBytes: number;
  /** Frontmatter and variables. */
  yamlBytes: number;
  /** `.gitbook.yaml`: real ones with a long history of redirects reach 90 KB. */
  configurationBytes: number;
  /** Levels of pages below each other; deeper ones move up to this level. */
  pageDepth: number;
  pages: number;
  /** Warnings of one kind; a last one counts the rest. */
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
