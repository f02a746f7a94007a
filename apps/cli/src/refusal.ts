/** An error that the user at the terminal can fix: shown without a stack, followed by the fixes. */
export class Refusal extends Error {
  /** Possible fixes, one sentence each. */
  readonly fixes: readonly string[];

  constructor(message: string, fixes: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refusal';
    this.fixes = fixes;
  }

  /** The message and the fixes, as printed. */
  get text(): string {
    return [this.message, ...this.fixes.map((fix) => `  - ${fix}`)].join('\n');
  }
}
