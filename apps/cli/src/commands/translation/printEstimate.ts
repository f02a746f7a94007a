/** The result of a dry run. */
export type Estimate = {
  engine: string;
  route: string[];
  pages: number;
  words: Record<string, { segments: number; words: number }>;
  engines: { name: string; texts: number; characters: number; calls: number; cost?: number }[];
};

/** Prints what a run would translate, and what it would ask of each engine. */
export function printEstimate({ engine, route, pages, words, engines }: Estimate): void {
  console.log(`${route.join(' to ')} with ${engine}: ${pages} pages`);
  for (const [origin, counted] of Object.entries(words))
    console.log(`${origin.padEnd(9)} ${counted.words} words in ${counted.segments} texts`);
  for (const { name, texts, characters, calls, cost } of engines) {
    const price = cost === undefined ? '' : `, cost ${cost.toFixed(2)}`;
    console.log(`${name}: ${texts} texts, ${characters} characters, ${calls} calls${price}`);
  }
}
