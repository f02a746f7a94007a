import { html, type Html, type Value } from './html.ts';

/** A column of a table; `cell` is written into a `td`. */
export type Column<Row> = { name: string; cell: (row: Row) => Value; isNumber?: boolean };

/** A table that scrolls by itself on a narrow screen. @param caption  names it; unique on its page */
export function table<Row>(
  { id, caption, none }: { id: string; caption: string; none: string | undefined },
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Html {
  if (rows.length === 0 && none !== undefined) return html`<p>${none}</p>`;
  return html`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0"><table>
<caption id="${id}">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col" class="${column.isNumber === true && 'number'}">${column.name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column) => html`<td class="${column.isNumber === true && 'number'}">${column.cell(row)}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
}

/** A list of names and values; entries without a value are left out. */
export function facts(entries: readonly (readonly [string, Value])[]): Html {
  const known = entries.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return html`<dl>${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;
}

/** A moment, in UTC. */
export function moment(at: Date | undefined): Value {
  if (!at) return undefined;
  const text = at.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 19)}</time>`;
}

/** The time between two moments, in words. */
export function duration(from: Date, to: Date): string {
  const seconds = Math.max(0, (to.getTime() - from.getTime()) / 1_000);
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

export function size(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1_024)));
  return `${(bytes / 1_024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}

/** The first part of a long text. */
export function shortened(text: string, length = 200): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
