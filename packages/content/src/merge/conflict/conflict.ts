/**
 * A conflict: both sides changed the same thing differently. The merge took one version; the conflict
 * contains both, so that nothing is lost.
 *
 * Texts are Markdown, null for a side without one.
 */
export type MergeConflict = ConflictObject & {
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

/** The object of a conflict. */
export type ConflictObject = {
  /** Id of the page; other content is identified by one of the next four fields. */
  page?: string;
  file?: string;
  reusableContent?: string;
  /** Name of the variable. */
  variable?: string;
  /** The redirect's old path. */
  redirect?: string;
};

/** A conflict as the parts of a merge report it. */
export type FoundConflict = MergeConflict & {
  /** Its part of the object, if that is not named by `field` alone. */
  part?: string;
  /** For a block of a text: the result of the merge; null if the block is not in it. */
  merged?: string | null;
};

/** A conflict with the id by which a choice names it. */
export type OpenConflict = Omit<FoundConflict, 'part'> & { id: string };
