/**
 * Fields whose text contains this text, in upper or lower case, as a filter. It is taken literally: no
 * character of it is a pattern.
 */
export function containsText(text: string): { $regex: string; $options: 'i' } {
  return { $regex: text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' };
}
