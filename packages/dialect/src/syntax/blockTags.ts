/** How a tag of the dialect stands in a source. */
export type TagSyntax = {
  /** The tag may stand alone: its closing tag is for a caption, or a link that stands in for it elsewhere. */
  closing?: 'optional';
  /** The tag that it is a part of: `tabs` for `tab`. A part ends where the next one begins. */
  partOf?: string;
};

/** The tags of the dialect, without braces. */
export type BlockTags = {
  /** Whether a word, with or without `end` before it, names a tag; all others are text, as those of Jinja or Liquid. */
  isTag(word: string): boolean;
  mayLackClosingTag(name: string): boolean;
  /** The tag that this one is a part of. */
  wholeOf(name: string): string | undefined;
  /** Whether the tag is a part, or holds parts: without its closing tag it ends with its surroundings. */
  endsWithSurroundings(name: string): boolean;
};

export function createBlockTags(declared: Readonly<Record<string, TagSyntax>>): BlockTags {
  const entries = Object.entries(declared);
  const names = new Set(entries.map(([name]) => name));
  const optional = new Set(entries.filter(([, { closing }]) => closing === 'optional').map(([name]) => name));
  const wholes = new Map(entries.flatMap(([name, { partOf }]) => (partOf === undefined ? [] : [[name, partOf] as const])));
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
