import { FileRefused, readSpecification, type ReadLimits, type SpecificationRead } from '@bindery/openapi';

/** The URL of specifications that tests read as text. */
export const specificationUrl = 'https://api.example/spec/openapi.yaml';

/**
 * Reads a specification from texts.
 *
 * @param files  other files by their URL or by their path beside the specification; any other is refused
 */
export function readText(
  entry: string | Uint8Array | object,
  { files = {}, limits = {} }: { files?: Record<string, string>; limits?: Partial<ReadLimits> } = {},
): Promise<SpecificationRead> {
  const texts = new Map(
    Object.entries(files).map(([name, text]) => [new URL(name, specificationUrl).href, text]),
  );
  return readSpecification(
    { url: specificationUrl, bytes: bytesOf(entry) },
    {
      limits,
      async loadFile(url) {
        const text = texts.get(url);
        if (text === undefined) throw new FileRefused(`${url} cannot be had.`);
        return { url, bytes: Buffer.from(text) };
      },
    },
  );
}

function bytesOf(entry: string | Uint8Array | object): Uint8Array {
  if (entry instanceof Uint8Array) return entry;
  return Buffer.from(typeof entry === 'string' ? entry : JSON.stringify(entry));
}
