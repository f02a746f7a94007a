import { classes, element, type Html } from '../../tree/html.ts';

/** The box of a task: text, so that readers who hear the page know its state. */
export function taskBox(isDone: boolean): Html {
  return element('span', { class: classes('box', isDone && 'done') }, isDone ? '×' : '\u00A0');
}
