import { SaxesParser } from 'saxes';
import { ExchangeError } from '../exchangeError.ts';
import type { ExchangeLimits } from '../limits.ts';
import { decodeXml, UnreadableBytes } from './decodeXml.ts';

export type XmlTag = {
  /** Without its prefix. */
  name: string;
  namespace: string;
  attribute(name: string): string | undefined;
  /** `xml:lang` of the element itself. */
  language: string | undefined;
  /** Whether white space inside is text (`xml:space`, inherited). */
  isSpacePreserved: boolean;
  /** Where it begins; both counts start at 1. */
  line: number;
  column: number;
};

/** The handlers for an element of a document. */
export type XmlElement = {
  /** Returns the handlers for an element inside; undefined skips it, with all that it contains. */
  child?(tag: XmlTag): XmlElement | undefined;
  text?(text: string): void;
  end?(): void;
};

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const saveAgain = 'Save the file again with the tool that made it, as UTF-8.';

/**
 * Reads an XML document as it arrives. Nothing else is fetched: a document type may be named, but it may not
 * define anything, and there are no entities but those of XML.
 *
 * @param root  called with the first tag
 * @returns a generator that yields after each piece of the document
 * @throws ExchangeError
 */
export async function* readXml(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { limits, root }: { limits: ExchangeLimits; root(tag: XmlTag): XmlElement },
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: true });
  const stack: { element: XmlElement | undefined; isSpacePreserved: boolean }[] = [];
  let begin = { line: 1, column: 1 };
  const refuse = (message: string, action: string) =>
    new ExchangeError(message, { line: parser.line, column: parser.column + 1, action });

  parser.on('error', ({ message }) => {
    // The parser writes the place in front of it.
    const reason = message.replace(/^[\d:]+ /, '');
    throw refuse(`The file is not XML: ${reason.slice(0, 200)}`, saveAgain);
  });
  parser.on('doctype', (type) => {
    if (type.includes('['))
      throw refuse('The document type of the file defines something of its own.', 'Remove `<!DOCTYPE ...>`.');
  });
  parser.on('opentagstart', ({ name }) => {
    begin = { line: parser.line, column: Math.max(1, parser.column - name.length - 1) };
    if (stack.length >= limits.depth)
      throw refuse(`Its elements are more than ${limits.depth} deep.`, 'Send a file of a translation tool.');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = new Map(
      Object.values(attributes).map(({ uri: of, local: key, value }) => [of + key, value]),
    );
    const space = values.get(`${xmlNamespace}space`);
    const parent = stack.at(-1);
    const tag: XmlTag = {
      name: local,
      namespace: uri,
      attribute: (name) => values.get(name),
      language: values.get(`${xmlNamespace}lang`),
      isSpacePreserved: space === undefined ? (parent?.isSpacePreserved ?? false) : space === 'preserve',
      ...begin,
    };
    const element = parent ? parent.element?.child?.(tag) : root(tag);
    stack.push({ element, isSpacePreserved: tag.isSpacePreserved });
  });
  const takeText = (text: string) => stack.at(-1)?.element?.text?.(text);
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  parser.on('closetag', () => {
    stack.pop()?.element?.end?.();
  });

  try {
    for await (const piece of decodeXml(bytes, limits.bytes)) {
      parser.write(piece);
      yield;
    }
  } catch (error) {
    if (error instanceof UnreadableBytes) throw refuse(error.message, saveAgain);
    throw error;
  }
  parser.close();
  yield;
}
