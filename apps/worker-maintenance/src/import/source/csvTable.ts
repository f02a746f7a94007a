const maxRows = 500;
const maxColumns = 30;

/**
 * Converts comma-separated values to a Markdown table; beyond some hundred rows it only states the number of
 * the others.
 */
export function csvTable(text: string): string {
  const rows = parseCsv(text.replace(/^\uFEFF/, ''), maxRows + 1);
  const [header, ...body] = rows;
  if (!header) return '';
  const columns = Math.min(Math.max(...rows.map((row) => row.length)), maxColumns);
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => cellOf(row[index] ?? '')).join(' | ')} |`;
  const table = [line(header), `|${' --- |'.repeat(columns)}`, ...body.slice(0, maxRows).map(line)].join(
    '\n',
  );
  return rows.length > maxRows ? `${table}\n\nOnly the first ${maxRows} rows are shown.` : table;
}

function cellOf(text: string): string {
  return text
    .trim()
    .replaceAll(/[\\|`*_[\]<>{$]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, (space) => (space.includes('\n') ? '<br>' : space))
    .slice(0, 2_000);
}

/** Parses by RFC 4180: quoted values may contain commas, line breaks and doubled quotes. */
function parseCsv(text: string, most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let value = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] as string;
    if (isQuoted) {
      if (letter !== '"') value += letter;
      else if (text[index + 1] === '"') value += text[(index += 1)];
      else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === ',') {
      row.push(value);
      value = '';
    } else if (letter === '\n') {
      rows.push([...row, value.replace(/\r$/, '')]);
      if (rows.length > most) return rows;
      row = [];
      value = '';
    } else value += letter;
  }
  return value === '' && row.length === 0 ? rows : [...rows, [...row, value]];
}
