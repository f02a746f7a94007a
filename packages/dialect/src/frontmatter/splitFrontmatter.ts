const [dash, lineFeed, carriageReturn, space, tab] = [0x2d, 0x0a, 0x0d, 0x20, 0x09];

/** The two parts of a page's source, which together are the file, byte for byte. */
export type PageSource = { frontmatter: Uint8Array; body: Uint8Array };

/**
 * Splits a Markdown file into its frontmatter (with both delimiters, their line endings and a byte order
 * mark) and its body. Both are views of the file's bytes, and together are the file. Without a closing
 * delimiter there is no frontmatter.
 */
export function splitFrontmatter(file: Uint8Array): PageSource {
  const start = byteOrderMarkLength(file);
  const end = isDelimiter(file, start) ? endOfFrontmatter(file, nextLine(file, start)) : undefined;
  return { frontmatter: file.subarray(0, end ?? start), body: file.subarray(end ?? start) };
}

/** Returns the YAML between the delimiters; empty if there is none. */
export function yamlOfFrontmatter(frontmatter: Uint8Array): Uint8Array {
  const start = byteOrderMarkLength(frontmatter);
  if (start === frontmatter.length) return frontmatter.subarray(start);
  const first = nextLine(frontmatter, start);
  return frontmatter.subarray(first, Math.max(first, frontmatter.lastIndexOf(dash) - 2));
}

function byteOrderMarkLength(file: Uint8Array): number {
  return file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf ? 3 : 0;
}

function endOfFrontmatter(file: Uint8Array, from: number): number | undefined {
  for (let line = from; line < file.length; line = nextLine(file, line)) {
    if (isDelimiter(file, line)) return nextLine(file, line);
  }
  return undefined;
}

/** Tells whether the line that begins here is `---` and white space. */
function isDelimiter(file: Uint8Array, start: number): boolean {
  if (file[start] !== dash || file[start + 1] !== dash || file[start + 2] !== dash) return false;
  let position = start + 3;
  while (file[position] === space || file[position] === tab) position += 1;
  return position >= file.length || file[position] === lineFeed || file[position] === carriageReturn;
}

function nextLine(file: Uint8Array, from: number): number {
  for (let position = from; position < file.length; position += 1) {
    if (file[position] === lineFeed) return position + 1;
    if (file[position] === carriageReturn) return position + (file[position + 1] === lineFeed ? 2 : 1);
  }
  return file.length;
}
