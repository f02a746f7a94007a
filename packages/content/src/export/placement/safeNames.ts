import { trimmedSides } from '@bindery/contract/trimCharacters';
const maxNameBytes = 200;

/** A page's path as a path of files without ending: no segment that git or a disk refuses. */
export function safeStem(path: string): string {
  return path
    .split('/')
    .map((segment) => shortened(withoutDevice(segment.replace(/^(?:\.+|\.git.*)$/i, (name) => `_${name.replace(/^\.+/, '')}`)), ''))
    .map((segment) => segment || '_')
    .join('/');
}

/** A name of a file that every disk can hold. */
export function safeName(name: string): string {
  const plain = trimmedSides(name.slice(name.lastIndexOf('/') + 1).replace(/[\p{Cc}\\:*?"<>|]+/gu, '-'), '. ');
  const dot = plain.lastIndexOf('.');
  const ending = dot > 0 && plain.length - dot <= 20 ? plain.slice(dot) : '';
  return shortened(withoutDevice(plain.slice(0, plain.length - ending.length) || 'file'), ending) + ending;
}

/** Windows takes some names for devices, whatever ending they have, and cannot check out files with them. */
function withoutDevice(stem: string): string {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i.test(stem) ? `_${stem}` : stem;
}

/** Names on most disks have at most 255 bytes. A number and an ending still fit. */
function shortened(name: string, ending: string): string {
  if (Buffer.byteLength(name + ending) <= maxNameBytes) return name;
  let text = '';
  let size = Buffer.byteLength(ending);
  for (const letter of name) {
    size += Buffer.byteLength(letter);
    if (size > maxNameBytes) break;
    text += letter;
  }
  return text;
}
