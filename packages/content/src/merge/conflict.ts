/**
 * A place where both sides changed the same thing differently. The merge took one of the two; here are both, so that nothing is lost.
 *
 * Texts are Markdown, null where one side has none.
 */
export type MergeConflict = {
  /** Id of the page; for other content one of the next four names it. */
  page?: string;
  file?: string;
  reusableContent?: string;
  /** Name of the variable. */
  variable?: string;
  /** Old path that the redirect is for. */
  redirect?: string;
  /** What of it: `deleted` where one side removed what the other changed (it is kept), `value` of a variable, redirect or file. */
  field: 'document' | 'title' | 'slug' | 'position' | 'deleted' | 'value';
  /** Of a document: key of the block; `frontmatter` for the page's metadata; `target` and `source` of a link or computed page. */
  block?: string;
  base: string | null;
  ours: string | null;
  theirs: string | null;
};
