import type { Place } from '../chunk/pages.ts';
import { limits } from '../limits.ts';
import type { ChunkHeading } from '../messages.ts';
import { writeBytes } from '../syntax/text.ts';
import { writeLink, type CopiedAnnotation, type LinkTarget } from './links.ts';
import { writeDestinationName, type Destination } from './navigation.ts';
import type { ObjectFile } from './objectFile.ts';

/** A link annotation to be written. */
type NewLink = CopiedAnnotation & { area: string };
type PendingLink = NewLink & { id: string };

/** An id that is no heading's, to which its own chunk links. */
export type LocalId = {
  id: string;
  /** Its name in the book: another chunk may have the same id. */
  name: string;
  place: Place;
};

/** Writes the links of the book. Those to what was not printed yet wait. */
export class LinkWriter {
  readonly #file: ObjectFile;
  readonly #destinations: ReadonlyMap<string, Destination>;
  #pending: PendingLink[] = [];
  /** Names of the ids of the current chunk, where they differ. */
  #renamed = new Map<string, string>();

  constructor(file: ObjectFile, destinations: ReadonlyMap<string, Destination>) {
    this.#file = file;
    this.#destinations = destinations;
  }

  /** Starts a chunk. @returns its destinations that are no headings */
  openChunk(places: Map<string, Place>, headings: readonly ChunkHeading[], chunk: number): LocalId[] {
    const known = new Set(headings.flatMap(({ id, anchors = [] }) => [id, ...anchors]));
    const local = [...places]
      .filter(([id]) => !known.has(id))
      .map(([id, place]) => ({ id, name: this.#destinations.has(id) ? `${id}~${chunk}` : id, place }));
    this.#renamed = new Map(local.filter(({ id, name }) => id !== name).map(({ id, name }) => [id, name]));
    return local;
  }

  add({ target, ...link }: NewLink & { target: LinkTarget }): void {
    if ('id' in target) {
      this.#pending.push({ ...link, id: this.#renamed.get(target.id) ?? target.id });
      return;
    }
    const action = `/A<</S/URI/URI ${writeBytes(target.address)}>>`;
    this.#file.writeObject(
      link.number,
      writeLink(link.area, link.parentTreeKey, { description: target.address, target: action }),
    );
  }

  /** Writes the links whose destinations have been printed. */
  writeKnown(): void {
    this.#pending = this.#pending.filter((link) => {
      const destination = this.#destinations.get(link.id);
      if (destination) this.#write(link, destination);
      return !destination;
    });
  }

  /** Writes the links that lead nowhere. @returns the ids that they name */
  writeRest(): string[] {
    for (const link of this.#pending) this.#write(link, undefined);
    return [...new Set(this.#pending.map(({ id }) => id))].slice(0, limits.reportedLinks);
  }

  #write(link: PendingLink, destination: Destination | undefined): void {
    const { number, parentTreeKey, page, area, id } = link;
    this.#file.writeObject(
      number,
      writeLink(area, parentTreeKey, {
        description: destination?.title || id || 'Link',
        // Some viewers crash on a link without destination: this one leads to what the reader sees.
        target: destination ? `/Dest ${writeDestinationName(id)}` : `/Dest[${page} 0 R/XYZ null null null]`,
      }),
    );
  }
}
