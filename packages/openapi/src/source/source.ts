import type { ReadLimits, SpecificationFile } from '../face.ts';
import { decode } from './decode.ts';
import { parse } from './parse.ts';

/** A file of a specification, decoded and parsed. */
export type Source = {
  url: string;
  bytes: Uint8Array;
  text: string;
  format: 'json' | 'yaml';
  value: unknown;
  hasInvalidBytes: boolean;
  hasDuplicateKeys: boolean;
};

/** @throws Unreadable */
export function readSource({ url, bytes }: SpecificationFile, limits: ReadLimits): Source {
  const { text, hasInvalidBytes } = decode(bytes);
  return { url, bytes, text, hasInvalidBytes, ...parse(text, limits) };
}
