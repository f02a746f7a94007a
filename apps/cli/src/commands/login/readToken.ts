import type { ReadStream } from 'node:tty';
import { Refusal } from '../../refusal.ts';

/** Far more than any token has. */
const maxLength = 4_096;

/**
 * Reads a token: on a terminal as it is typed, without showing it; elsewhere the whole input.
 *
 * @param ask  shows the question; called on a terminal only
 * @throws Refusal for none, for Ctrl-C, and for an input that cannot be a token
 */
export async function readToken(input: ReadStream, ask: (text: string) => void): Promise<string> {
  const text = input.isTTY ? await readTyped(input, ask) : await readAll(input);
  const token = text.trim();
  if (token === '') throw new Refusal('No token was given.', [whereTokensAre]);
  if (token.length > maxLength || !/^[\x21-\x7e]+$/.test(token))
    throw new Refusal('A token is one word of letters, digits and signs.', [whereTokensAre]);
  return token;
}

const whereTokensAre = '`bindery token create` on the server makes a token.';

async function readAll(input: ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > 2 * maxLength) break;
  }
  return text;
}

async function readTyped(input: ReadStream, ask: (text: string) => void): Promise<string> {
  // In raw mode the terminal neither shows what is typed nor turns Ctrl-C into a signal. Before the question,
  // because the answer may come at once.
  input.setRawMode(true);
  ask('Token (it is not shown): ');
  try {
    let text = '';
    // The stream must stay open until the terminal has its mode back.
    for await (const chunk of input.iterator({ destroyOnReturn: false }))
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n' || character === '\x04') return text;
        if (character === '\x03') throw new Refusal('Stopped: nothing was kept.');
        text = character === '\x7f' || character === '\b' ? text.slice(0, -1) : text + character;
      }
    return text;
  } finally {
    input.setRawMode(false);
    input.pause();
    ask('\n');
  }
}
