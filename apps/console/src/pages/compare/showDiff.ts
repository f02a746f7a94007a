import type { DocumentBlock } from '@bindery/contract';
import type { BlockDiff, LineDiff, PropertyDiff, RowDiff } from '@bindery/document-diff';
import { html, type Value } from '@bindery/html';
import { nameOfBlock } from './blockNames.ts';
import { showBlock, type PictureUrlOf } from './showBlock.ts';
import { added, cut, removed, showRuns, type Side } from './showRuns.ts';

/** How a comparison is shown. */
export type DiffLook = {
  side: Side;
  /** The pictures of each side. */
  pictures: { before: PictureUrlOf; after: PictureUrlOf };
  /** Follows a block of the top level that the new side has. */
  aside?: ((block: DocumentBlock) => Value) | undefined;
};

/** One step of a comparison; nothing where the side has no such block. */
export function showStep(step: BlockDiff, look: DiffLook): Value {
  const { side, pictures } = look;
  if (step.kind === 'same')
    return html`<div class="step">${showBlock(step.after, pictures.after)}${look.aside?.(step.after)}</div>`;
  if (step.kind === 'changed') return html`<div class="step changed">${showChange(step, look)}</div>`;
  if ('before' in step) {
    const label = step.kind === 'moved-from' ? 'Moved away' : 'Removed';
    return (
      side !== 'after' &&
      html`<div class="step gone"><span class="kind">${label}</span> <del>${showBlock(step.before, pictures.before)}</del></div>`
    );
  }
  const label = step.kind === 'moved-to' ? 'Moved here' : 'Added';
  return (
    side !== 'before' &&
    html`<div class="step come"><span class="kind">${label}</span> <ins>${showBlock(step.after, pictures.after)}</ins>${look.aside?.(step.after)}</div>`
  );
}

type Change = Extract<BlockDiff, { kind: 'changed' }>;

function showChange(change: Change, look: DiffLook): Value {
  const { before, after, properties } = change;
  const type = before.type !== after.type && html`, was ${nameOfBlock(before)}`;
  return html`<span class="kind">Changed: ${nameOfBlock(after)}${type}</span>
${properties.map((property) => showProperty(property, change, look))}
${showInner(change, look)}${look.side !== 'before' && look.aside?.(after)}`;
}

function showProperty(
  { name, before, after }: PropertyDiff,
  change: Change,
  { side, pictures }: DiffLook,
): Value {
  const isPicture = change.after.type === 'image' && name === 'ref';
  const old = isPicture ? showBlock(change.before, pictures.before) : before !== undefined && cut(before);
  const now = isPicture ? showBlock(change.after, pictures.after) : after !== undefined && cut(after);
  return html`<div class="inner"><code>${name}</code>: ${side !== 'after' && old !== false && removed(old)}
${side !== 'before' && now !== false && added(now)}</div>`;
}

function showInner({ before, after, inner }: Change, look: DiffLook): Value {
  const { side } = look;
  if (inner.kind === 'words') return html`<span class="text">${showRuns(inner.runs, side)}</span>`;
  if (inner.kind === 'lines') return showLines(inner.lines, side);
  if (inner.kind === 'rows') return showRows(inner.rows, side);
  // A nested block has no key that comments could name.
  const nested = { ...look, aside: undefined };
  if (inner.kind === 'blocks')
    return inner.blocks.map((step) => html`<div class="inner">${showStep(step, nested)}</div>`);
  return before.type === after.type ? '' : showBlock(after, look.pictures.after);
}

function showLines(lines: readonly LineDiff[], side: Side): Value {
  return html`<span class="text code">${lines.map((line) => {
    if (line.kind === 'changed') return html`${showRuns(line.runs, side)}\n`;
    return html`${onSide(line.kind, line.text, side)}${isShown(line.kind, side) && '\n'}`;
  })}</span>`;
}

function showRows(rows: readonly RowDiff[], side: Side): Value {
  return html`<table class="cells"><tbody>${rows.map((row) => {
    if (row.kind === 'changed')
      return html`<tr>${row.cells.map((runs) => html`<td>${showRuns(runs, side)}</td>`)}</tr>`;
    const { kind } = row;
    return (
      isShown(kind, side) &&
      html`<tr>${row.cells.map((cell) => html`<td>${onSide(kind, cut(cell), side)}</td>`)}</tr>`
    );
  })}</tbody></table>`;
}

type Kind = Exclude<RowDiff['kind'], 'changed'>;

function isShown(kind: Kind, side: Side): boolean {
  if (kind === 'removed' || kind === 'moved-from') return side !== 'after';
  return kind === 'same' || side !== 'before';
}

function onSide(kind: Kind, text: string, side: Side): Value {
  if (!isShown(kind, side)) return '';
  if (kind === 'same') return text;
  return kind === 'removed' || kind === 'moved-from' ? removed(text) : added(text);
}
