import { readFile } from 'node:fs/promises';
import { isWebTarget } from '@bindery/contract/linkTarget';
import { FileRefused, type LoadFile, type SpecificationFile } from '@bindery/openapi';
import { createOutbound, type OutboundSettings } from '@bindery/outbound';
import { fetchDocument } from './fetchDocument.ts';
import { openArchive } from './openArchive.ts';
import type { SpecEvent, SpecReading, SpecSource, Validators } from './specWork.ts';

/** An opened source: the entry, the way to its other files, and a function that ends all connections. */
export type OpenedSource = (
  | { kind: 'opened'; entry: SpecificationFile; loadFile: LoadFile; validators?: Validators | undefined }
  | Exclude<SpecReading, { kind: 'usable' }>
) & { close(): Promise<void> };

type Opening = { outbound: OutboundSettings; fetchTimeoutMs: number; tell: (event: SpecEvent) => void };

/** Enough for thousands of files of a usual server, and half of the time that the whole job has. */
const longestFilesMs = 150_000;

const nothingToClose = async () => {};

/**
 * Gets the entry document of a source.
 *
 * @throws JobError when it cannot be fetched
 */
export async function openSource(source: SpecSource, opening: Opening): Promise<OpenedSource> {
  if ('url' in source) return openUrl(source, opening);
  if ('archive' in source) {
    const opened = await openArchive(await readFile(source.archive), source.entry);
    return { ...opened, close: nothingToClose };
  }
  return {
    kind: 'opened',
    entry: { url: 'bindery-text:///specification', bytes: await readFile(source.text) },
    loadFile: async () => {
      throw new FileRefused(
        'A specification that was given as text cannot refer to other files; give a URL or an archive.',
      );
    },
    close: nothingToClose,
  };
}

/**
 * Fetches the entry from its URL. Other files come from the origin of the answer, and get the login only if
 * the URL has the same origin.
 */
async function openUrl(
  { url, login, validators }: Extract<SpecSource, { url: string }>,
  { outbound: settings, fetchTimeoutMs: timeoutMs, tell }: Opening,
): Promise<OpenedSource> {
  const outbound = createOutbound(settings);
  const filesMs = Math.min(5 * timeoutMs, longestFilesMs);
  let filesSignal: AbortSignal | undefined;
  const close = async () => outbound.close();
  let running = 0;
  /** Tells the worker when this process waits for other servers, which has limits of its own. */
  const waiting = async <T>(fetching: Promise<T>): Promise<T> => {
    if ((running += 1) === 1) tell({ kind: 'fetches' });
    try {
      return await fetching;
    } finally {
      if ((running -= 1) === 0) tell({ kind: 'reads' });
    }
  };
  try {
    const given = outbound.checkUrl(url);
    const entry = await fetchDocument(given, { outbound, login, validators, timeoutMs });
    if (!entry) return { kind: 'unmodified', close };
    const { origin } = entry.url;
    const loadFile: LoadFile = async (wanted) => {
      const target = URL.parse(wanted);
      if (target?.origin !== origin || !isWebTarget(wanted)) throw otherOrigin();
      const signal = (filesSignal ??= AbortSignal.timeout(filesMs));
      if (signal.aborted) throw filesTooSlow(filesMs);
      const file = await waiting(
        fetchDocument(target, {
          outbound,
          login: origin === given.origin ? login : undefined,
          origin,
          timeoutMs,
          signal,
        }),
      ).catch((error: unknown) => {
        if (signal.aborted) throw filesTooSlow(filesMs);
        throw new FileRefused(error instanceof Error ? error.message : 'The file cannot be fetched.', {
          cause: error,
        });
      });
      if (!file) throw new FileRefused('The server sent no document.');
      return { url: file.url.href, bytes: file.bytes };
    };
    const { bytes, validators: present } = entry;
    return {
      kind: 'opened',
      entry: { url: entry.url.href, bytes },
      loadFile,
      validators: present,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function otherOrigin(): FileRefused {
  return new FileRefused(
    'The other files of a specification must come from the same host and port as the specification.',
  );
}

function filesTooSlow(filesMs: number): FileRefused {
  return new FileRefused(
    `Fetching the other files of the specification took longer than ${filesMs / 1_000} seconds together.`,
  );
}
