/** The reason why a file cannot be read at all, with the place where that shows. Both counts start at 1. */
export class ExchangeError extends Error {
  readonly line: number;
  readonly column: number;
  /** Tells the sender how to correct the file. */
  readonly action: string;

  constructor(message: string, { line, column, action }: { line: number; column: number; action: string }) {
    super(message);
    this.name = 'ExchangeError';
    this.line = line;
    this.column = column;
    this.action = action;
  }
}
