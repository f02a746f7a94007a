/** The limits of a file; one that exceeds them is refused before the rest of it is read. */
export type ExchangeLimits = {
  bytes: number;
  /** Of elements within each other. */
  depth: number;
  units: number;
  /** Of one text. A longer text is a fault of its unit only. */
  characters: number;
  /** Of one text, likewise. */
  placeholders: number;
};

export const exchangeLimits: ExchangeLimits = {
  bytes: 128 * 1024 * 1024,
  depth: 100,
  units: 250_000,
  characters: 20_000,
  placeholders: 1_000,
};
