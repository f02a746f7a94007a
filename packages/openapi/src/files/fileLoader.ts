import { FileRefused, type LoadFile, type ReadLimits } from '../face.ts';
import { withoutLogin, type Findings } from '../findings.ts';
import { readSource, type Source } from '../source/source.ts';
import { Unreadable } from '../source/unreadable.ts';
import { decode } from '../source/decode.ts';

export type LoadedFile =
  | { source: Source }
  /** Without a message, the finding is in the file itself. */
  | { refusal: string | undefined };

/** Loads the other files of a specification, each once, within the limits for all. */
export type FileLoader = {
  load(url: string): Promise<LoadedFile>;
};

export function createFileLoader(
  entry: Source,
  { loadFile, limits, findings }: { loadFile: LoadFile; limits: ReadLimits; findings: Findings },
): FileLoader {
  let files = 1;
  let totalBytes = entry.bytes.length;
  const tooLargeTogether = {
    refusal: `The files of the specification are together larger than ${megabytes(limits.totalBytes)}.`,
  };

  return {
    async load(url) {
      files += 1;
      if (files > limits.files) return { refusal: `A specification has at most ${limits.files} files.` };
      // Nothing is fetched that could not be kept.
      if (totalBytes > limits.totalBytes) return tooLargeTogether;
      try {
        const loaded = await loadFile(url);
        const size = loaded.bytes.length;
        totalBytes += size;
        if (size > limits.fileBytes)
          return { refusal: `${withoutLogin(url)} is larger than ${megabytes(limits.fileBytes)}.` };
        if (totalBytes > limits.totalBytes) return tooLargeTogether;
        return readFile(loaded);
      } catch (error) {
        if (error instanceof FileRefused) return { refusal: error.message };
        throw error;
      }
    },
  };

  function readFile(file: { url: string; bytes: Uint8Array }): LoadedFile {
    // A reference to another kind of text, such as a description in Markdown, stands for the text.
    const isStructured = /\.(?:json|ya?ml)$/i.test(new URL(file.url).pathname);
    try {
      const source = readSource(file, limits);
      return { source: isStructured || typeof source.value === 'object' ? source : asText(source) };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const { text, hasInvalidBytes } = decode(file.bytes);
      if (!isStructured && error.rule === 'syntax') {
        const plain = { ...file, text, format: 'yaml', hasInvalidBytes, hasDuplicateKeys: false } as const;
        return { source: { ...plain, value: text } };
      }
      const { rule, message, offset } = error;
      const source = { url: file.url, text, format: 'yaml' } as const;
      findings.add({ severity: 'error', rule, message, source, pointer: '', offset });
      return { refusal: undefined };
    }
  }
}

function asText(source: Source): Source {
  return { ...source, value: source.text };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
