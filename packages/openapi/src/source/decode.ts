import { isUtf8 } from 'node:buffer';

export type Decoded = {
  text: string;
  /** Bytes that are no text in the encoding became U+FFFD. */
  hasInvalidBytes: boolean;
};

/** Decodes UTF-8 or UTF-16; the text has no byte order mark. */
export function decode(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8' && isUtf8(bytes)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return { text: text.startsWith('\uFEFF') ? text.slice(1) : text, hasInvalidBytes: false };
  }
  const text = new TextDecoder(encoding).decode(bytes);
  // In UTF-16, only halves of surrogate pairs are invalid.
  return { text, hasInvalidBytes: encoding === 'utf-8' || text.includes('\uFFFD') };
}

/** By the byte order mark, or by the zero byte beside the first character, an ASCII one. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return 'utf-16be';
  return 'utf-8';
}
