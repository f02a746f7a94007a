/**
 * A conflict: both sides changed the same thing differently. The merge took one version; the conflict
 * contains both, so that nothing is lost.
 *
 * Texts are Markdown, null for a side without one.
 */
export type MergeConflict = {
  /** Id of the page; other content is identified by one of the next four fields. */
  page?: string;
  file?: string;
  reusableContent?: string;
  /** Name of the variable. */
  variable?: string;
  /** The redirect's old path. */
  redirect?: string;
  /**
   * The conflicting field: `deleted` where one side removed what the other changed (it is kept), `value` of a
   * variable, redirect or file.
   */
  field: 'document' | 'title' | 'slug' | 'position' | 'deleted' | 'value';
  /**
   * In a document: the key of the block; `frontmatter` for the page's metadata; `target` and `source` of a
   * link or computed page.
   */
  block?: string;
  base: string | null;
  ours: string | null;
  theirs: string | null;
  /** Whether texts are cut, because the merge was given limits. */
  cut?: true;
};
