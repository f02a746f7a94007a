import type { Term } from '@bindery/translation';

/** A language pair, by the codes of the API: `en`, `pt-br`. */
export type LanguagePair = { source: string; target: string };

/** The abilities of an engine besides translating a text. */
export type EngineAbilities = {
  /** It follows the instructions of a translation. */
  instructions: boolean;
  /** It uses the terms that it is given. Without this, terms are placeholders. */
  glossary: boolean;
  /** Formatting follows its words when their order changes. */
  formatting: boolean;
};

/** The translation of a text, or why there is none; the text then keeps its source. */
export type EngineAnswer =
  | {
      text: string;
      /** Words that the engine does not know and has left as they are. */
      unknownWords?: number;
    }
  | { refused: string };

export type EngineRequest = {
  pair: LanguagePair;
  signal: AbortSignal;
  /** Of the translation, as Markdown. Only for an engine that can follow them. */
  instructions?: string;
  /** The terms of the glossary in each text, by its index. Only for an engine that can use them. */
  terms?: readonly (readonly Term[])[];
};

/** A translation engine. Its texts have the form of `textOfParts`, with numbered placeholders. */
export type Engine = {
  name: string;
  /** Part of the memory's key: changes with everything that makes its texts other ones. */
  version: string;
  can: EngineAbilities;
  /** It asks a service, which may bill each character. */
  isService?: true;
  /** The most that a call of `translate` takes. */
  batch: { texts: number; characters: number };
  /** The languages that a text passes through, first to last; undefined for a pair that it cannot do. */
  route(pair: LanguagePair): readonly string[] | undefined;
  /**
   * Translates texts.
   *
   * @returns one answer for each text, in the same order
   * @throws JobError when the engine cannot be used now, or not for this pair; of the class `throttled` when
   *   it asks to wait, with `retryAfterMs` if it says how long; of the code `quota` when that would not help
   */
  translate(texts: readonly string[], request: EngineRequest): Promise<EngineAnswer[]>;
  close(): Promise<void>;
};
