import { basename, resolve } from 'node:path';
import { Refusal } from '../../refusal.ts';
import type { FolderOptions } from './sendFolder.ts';

/** The options of every command that sends a folder. */
export const folderOptions = {
  space: { value: 'ID', help: 'The space that gets the content.' },
  subject: { value: 'TEXT', help: 'Subject of a new change request (default: the name and the time).' },
  name: { value: 'TEXT', help: 'Names the folder for later pushes (default: the name of DIR).' },
  'change-request': { value: 'ID', help: 'Id or number of the change request to send to.' },
  prune: { help: 'Remove pages and files that DIR lacks (default: they stay).' },
};

type Values = { [Name in keyof typeof folderOptions]?: string | boolean };

/** @throws Refusal without a folder or a space, and for texts that are too long */
export function readFolderOptions(
  command: string,
  operands: readonly string[],
  values: Values,
): { root: string; space: string; options: FolderOptions } {
  const [folder, ...more] = operands;
  if (folder === undefined || more.length > 0) throw new Refusal(`\`bindery ${command}\` needs one folder.`);
  if (typeof values.space !== 'string')
    throw new Refusal('`--space ID` is missing.', ['The id of a space is in its URL: /s/<id>.']);
  const root = resolve(folder);
  const name = textOf(values, 'name') ?? (basename(root).slice(0, maxLength) || 'folder');
  const time = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const subject = textOf(values, 'subject') ?? `${name.slice(0, maxLength - 25)}, ${time} UTC`;
  const changeRequest = textOf(values, 'change-request');
  return {
    root,
    space: values.space,
    options: { name, subject, prune: values.prune === true, changeRequest },
  };
}

const maxLength = 100;

function textOf(values: Values, name: keyof Values): string | undefined {
  const text = values[name];
  if (typeof text !== 'string') return undefined;
  if (text.length > maxLength) throw new Refusal(`--${name} must have at most ${maxLength} characters.`);
  return text;
}
