/** The syntax of a tag of the dialect. */
export type TagSyntax = {
  /**
   * The tag may be used alone: its closing tag follows a caption, or a link for readers without support for
   * the tag.
   */
  closing?: 'optional';
  /** The container that it is a part of: `tabs` for `tab`. A part ends where the next one begins. */
  partOf?: string;
};

/** The tags of the dialect, without braces. */
export type BlockTags = {
  /**
   * Tells whether a word, with or without `end` before it, names a tag; other words, such as those of Jinja
   * or Liquid, are text.
   */
  isTag(word: string): boolean;
  mayLackClosingTag(name: string): boolean;
  /** Returns the container that this tag is a part of. */
  wholeOf(name: string): string | undefined;
  /**
   * Tells whether the tag is a part or a container of parts, which ends with its surroundings if it has no
   * closing tag.
   */
  endsWithSurroundings(name: string): boolean;
};

export function createBlockTags(declared: Readonly<Record<string, TagSyntax>>): BlockTags {
  const entries = Object.entries(declared);
  const names = new Set(entries.map(([name]) => name));
  const optional = new Set(entries.filter(([, { closing }]) => closing === 'optional').map(([name]) => name));
  const wholes = new Map(
    entries.flatMap(([name, { partOf }]) => (partOf === undefined ? [] : [[name, partOf] as const])),
  );
  const wholesAndParts = new Set([...wholes.keys(), ...wholes.values()]);
  return {
    isTag: (word) => {
      const name = word.toLowerCase();
      return names.has(name) || (name.startsWith('end') && names.has(name.slice(3)));
    },
    mayLackClosingTag: (name) => optional.has(name),
    wholeOf: (name) => wholes.get(name),
    endsWithSurroundings: (name) => wholesAndParts.has(name),
  };
}
