/**
 * A filter for fields that contain a text, ignoring case. The text is matched literally, not as a pattern.
 */
export function containsText(text: string): { $regex: string; $options: 'i' } {
  return { $regex: text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' };
}
