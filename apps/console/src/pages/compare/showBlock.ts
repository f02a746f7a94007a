import type { DocumentBlock } from '@bindery/contract';
import { childrenOf, textOf } from '@bindery/document-diff';
import { html, type Value } from '@bindery/html';
import { nameOfBlock } from './blockNames.ts';
import { cut } from './showRuns.ts';

/** The address of the picture that a reference of a revision names; undefined for one of another host. */
export type PictureUrlOf = (ref: unknown) => string | undefined;

/** A block as its text, with the names of the blocks in it, and its pictures. */
export function showBlock(block: DocumentBlock, pictureUrlOf: PictureUrlOf): Value {
  const inner = childrenOf(block).filter((node) => node.object === 'block');
  if (block.type === 'image') return showImage(block, pictureUrlOf);
  if (block.type === 'code' || block.type === 'table' || inner.length === 0) return showText(block);
  const label = html`<span class="kind">${nameOfBlock(block)}</span>`;
  return html`${label}${inner.map((each) => html`<div class="inner">${showBlock(each, pictureUrlOf)}</div>`)}`;
}

function showText(block: DocumentBlock): Value {
  const label = block.type !== 'paragraph' && html`<span class="kind">${nameOfBlock(block)}</span> `;
  const text = cut(textOf(block));
  if (text !== '') return html`${label}<span class="text">${text}</span>`;
  const data = JSON.stringify(block.data ?? {});
  return html`${label}${data !== '{}' && html`<code>${cut(data)}</code>`}`;
}

function showImage({ data = {} }: DocumentBlock, pictureUrlOf: PictureUrlOf): Value {
  const alt = typeof data['alt'] === 'string' ? data['alt'] : '';
  const url = pictureUrlOf(data['ref']);
  return url === undefined
    ? html`<span class="kind">Image</span> ${alt} <code>${JSON.stringify(data['ref'])}</code>`
    : html`<span class="kind">Image</span> <img src="${url}" alt="${alt}" loading="lazy">`;
}
