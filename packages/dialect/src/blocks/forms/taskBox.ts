import { classes, element, type Html } from '../../tree/html.ts';
import type { RenderContext } from '../../tree/renderContext.ts';

/** The box of a task: a sign for readers who see it, with its state in words for those who listen. */
export function taskBox(isDone: boolean, { words }: Pick<RenderContext, 'words'>): Html {
  const look = { class: classes('box', isDone && 'done') };
  const state = { role: 'img', 'aria-label': isDone ? words.checked : words.unchecked };
  return element('span', { ...look, ...state }, isDone ? '×' : '\u00A0');
}
