import { partsOfText, textOfParts, type Part } from '@bindery/translation';
import type { Engine, EngineAnswer, LanguagePair } from '../engine.ts';
import { findModes, routeOf, type ApertiumFolder } from './modes.ts';
import { ApertiumPipe } from './pipe.ts';
import { hasHyphen, partsOfStream, streamOfParts, type StreamForm } from './streamText.ts';

/** A longer text, or a longer word, takes Apertium more than a second. */
const longest = { text: 20_000, word: 2_000 };

/** The programs of one language pair: a chain of two modes took 190 MB and 26 processes. */
export const apertiumNeeds = { memoryMb: 256, tasks: 40 };

/**
 * Makes an engine of an installation of Apertium: rules and dictionaries, on this machine, without a network.
 *
 * @returns undefined when no usable language pair is installed
 */
export async function openApertium(installation: ApertiumFolder): Promise<Engine | undefined> {
  const modes = await findModes(installation);
  if (modes.length === 0) return undefined;
  const pipes = new Map<string, ApertiumPipe>();
  const pipeFor = (pair: LanguagePair): ApertiumPipe => {
    const key = `${pair.source} ${pair.target}`;
    const route = routeOf(modes, pair);
    if (!route) throw new Error(`Apertium has no way from ${pair.source} to ${pair.target}.`);
    const pipe = pipes.get(key) ?? new ApertiumPipe(route, installation);
    pipes.set(key, pipe);
    return pipe;
  };
  return {
    name: 'apertium',
    version: '2',
    can: { instructions: false, glossary: false, formatting: true },
    batch: { texts: 500, characters: 200_000 },
    route(pair) {
      const route = routeOf(modes, pair);
      return route && [pair.source, ...route.map(({ target }) => target)];
    },
    async translate(texts, { pair }) {
      const pipe = pipeFor(pair);
      return Promise.all(texts.map((text) => translated(text, pipe)));
    },
    async close() {
      await Promise.all([...pipes.values()].map((pipe) => pipe.close()));
    },
  };
}

async function translated(text: string, pipe: ApertiumPipe): Promise<EngineAnswer> {
  const parts = partsOfText(text);
  if (!parts) return { refused: 'The text is not well-formed.' };
  if (text.length > longest.text) return { refused: 'The text is too long for Apertium.' };
  if (text.split(/\s/).some((word) => word.length > longest.word))
    return { refused: 'A word is too long for Apertium.' };
  for (const form of formsOf(parts)) {
    const stream = await pipe.ask(streamOfParts(parts, form));
    if (stream === undefined) return { refused: 'Apertium cannot process the text.' };
    const read = partsOfStream(stream, parts);
    if (read) return { text: textOfParts(read.parts), unknownWords: read.unknownWords };
  }
  return { refused: 'Apertium tore the formatting of the text apart.' };
}

/** A text that was torn apart when its words were bound is tried again with blanks. */
function formsOf(parts: readonly Part[]): readonly StreamForm[] {
  const hasPairs = parts.some((part) => typeof part !== 'string' && part.tag === 'open');
  return hasPairs || hasHyphen(parts) ? ['pairs', 'blanks'] : ['pairs'];
}
