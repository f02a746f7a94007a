/** A title as a book shows it: a heading or bookmark without text would be none. */
export function titleText(title: string): string {
  return title.trim() || 'Untitled';
}
