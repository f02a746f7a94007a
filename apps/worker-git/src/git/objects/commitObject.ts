/** The committer of exports; the author is the user. */
const committer = 'bindery-bot <bot@bindery.invalid>';

export type NewCommit = {
  tree: string;
  parent?: string;
  author: { name: string; email: string };
  /** Both dates, in seconds since 1970. */
  at: number;
  message: string;
};

/** Encodes a commit object. The same commit has the same bytes, and so the same oid. */
export function commitBytes({ tree, parent, author, at, message }: NewCommit): Buffer {
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${cleanName(author.name)} <${cleanEmail(author.email)}> ${at} +0000`,
    `committer ${committer} ${at} +0000`,
    '',
    cleanMessage(message),
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Removes characters that end a name in a commit, as git does. */
function cleanName(name: string): string {
  return onOneLine(name) || 'Unknown';
}

function cleanEmail(email: string): string {
  return onOneLine(email).replaceAll(' ', '') || 'unknown@bindery.invalid';
}

function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[<>]/g, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** NUL would end the message for some readers, and other control characters affect terminals. */
function cleanMessage(message: string): string {
  const lines = message.toWellFormed().replaceAll(/\r\n?/g, '\n');
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return lines.replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '').trim();
}
