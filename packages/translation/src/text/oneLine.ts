/** Makes a text one line: each line break becomes a space, with the white space around it. */
export function oneLine(text: string): string {
  const lines = text.split(/[\r\n]/);
  const [first = ''] = lines;
  if (lines.length === 1) return text;
  const inner = lines
    .slice(1, -1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return [first.trimEnd(), ...inner, (lines.at(-1) ?? '').trimStart()].join(' ');
}
