import { trimmedSides } from '@bindery/contract/trimCharacters';
const maxNameBytes = 200;

/**
 * Converts a page's path to a file path without extension, in which every segment is valid for git and for
 * every disk.
 */
export function safeStem(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      shortened(
        withoutDevice(segment.replace(/^(?:\.+|\.git.*)$/i, (name) => `_${name.replace(/^\.+/, '')}`)),
        '',
      ),
    )
    .map((segment) => segment || '_')
    .join('/');
}

/** Converts a file name to one that is valid on every disk. */
export function safeName(name: string): string {
  const plain = trimmedSides(
    name.slice(name.lastIndexOf('/') + 1).replace(/[\p{Cc}\\:*?"<>|]+/gu, '-'),
    '. ',
  );
  const dot = plain.lastIndexOf('.');
  const ending = dot > 0 && plain.length - dot <= 20 ? plain.slice(dot) : '';
  return shortened(withoutDevice(plain.slice(0, plain.length - ending.length) || 'file'), ending) + ending;
}

/** Windows takes some names for devices, whatever their extension, and cannot check out such files. */
function withoutDevice(stem: string): string {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i.test(stem)
    ? `_${stem}`
    : stem;
}

/** Most disks limit names to 255 bytes. Leaves space for a number and an extension. */
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
