/** Something that the person at the terminal can put right: shown without a stack, followed by how. */
export class Refusal extends Error {
  /** What can be done, one sentence each. */
  readonly fixes: readonly string[];

  constructor(message: string, fixes: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refusal';
    this.fixes = fixes;
  }

  /** The message and the fixes as they are printed. */
  get text(): string {
    return [this.message, ...this.fixes.map((fix) => `  - ${fix}`)].join('\n');
  }
}
