/** A file that is no document of JSON or YAML; the message says what it is instead, or what is wrong. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  rule: string;
  /** Of the character in the text. */
  offset: number;

  constructor(rule: string, message: string, offset = 0) {
    super(message);
    this.rule = rule;
    this.offset = offset;
  }
}
