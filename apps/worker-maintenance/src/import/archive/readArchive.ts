import { crc32 } from 'node:zlib';
import { JobError } from '@bindery/contract/jobErrors';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

const MiB = 1024 * 1024;

/** What an archive may cost, by what it says of itself and by what really comes out of it. */
const limits = { entries: 2_000, entryBytes: 10 * MiB, totalBytes: 200 * MiB, ratio: 200, pathBytes: 1_024, nameBytes: 255, depth: 32 };

/** A small file may be all the same letter. */
const ratioFreeBytes = MiB;

/** Archives in an archive are not opened, and nobody can tell what is in them. */
const nested = /\.(?:zip|jar|war|apk|epub|7z|rar|tar|t?gz|tgz|bz2|xz|zst)$/i;

/**
 * Reads every file of a ZIP archive into memory, by its path.
 *
 * @throws JobError `unsafe_tree` for paths, links or encryption that no honest archive has, `limit` and `too_large` for more than an import takes,
 *   `bad_content` for what is no archive or damaged
 */
export async function readArchive(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await open(archive);
  try {
    if (zip.entryCount > limits.entries) throw tooMany();
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= limits.entries) throw tooMany();
      entries.push(entry);
    }
    const files = entries.filter(({ fileName }) => !fileName.endsWith('/'));
    for (const entry of entries) checkEntry(entry);
    refuseOverlap(files, archive.length);
    const declared = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (declared > limits.totalBytes) throw tooLarge();

    const contents = new Map<string, Buffer>();
    let total = 0;
    for (const entry of files) {
      const path = entry.fileName.normalize('NFC');
      if (contents.has(path)) throw unsafe('two files have the same name');
      const bytes = await readEntry(zip, entry);
      total += bytes.length;
      if (total > limits.totalBytes) throw tooLarge();
      contents.set(path, bytes);
    }
    return contents;
  } catch (error) {
    if (error instanceof JobError || error instanceof RangeError) throw error;
    // The library's texts hold names out of the archive.
    if (/relative path|absolute path|invalid characters|backslash/i.test(String(error))) throw unsafe('a name leads out of it');
    throw damaged();
  } finally {
    zip.close();
  }
}

async function open(archive: Buffer): Promise<ZipFile> {
  if (archive.toString('latin1', 0, 2) !== 'PK') {
    throw new JobError('bad_content', 'What was found is no ZIP archive.', {
      action: 'Check that the URL leads to the file itself, without a sign-in, and that `source` says what it is.',
    });
  }
  try {
    return await fromBufferPromise(archive, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true, autoClose: false });
  } catch {
    throw damaged();
  }
}

function checkEntry(entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize, externalFileAttributes, versionMadeBy } = entry;
  if (entry.isEncrypted()) throw unsafe('a file is encrypted');
  // The upper half is what Unix keeps of a file: its kind and its rights.
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  if (versionMadeBy >>> 8 === 3 && kind !== 0 && kind !== 0o100000 && kind !== 0o040000)
    throw unsafe('it holds a symbolic link or a device');
  if (/\p{Cc}/u.test(fileName) || fileName.includes('\\')) throw unsafe('a name holds characters that no file has');
  const segments = fileName.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) throw unsafe('a name leads out of it');
  if (Buffer.byteLength(fileName) > limits.pathBytes || segments.some((segment) => Buffer.byteLength(segment) > limits.nameBytes))
    throw unsafe('a name is too long');
  if (segments.length > limits.depth) throw new JobError('limit', `The archive nests folders more than ${limits.depth} levels deep.`);
  if (nested.test(fileName)) {
    throw new JobError('unsafe_tree', 'The archive holds another archive, which is not opened.', {
      action: 'Unpack the inner archive, or leave it out.',
    });
  }
  if (uncompressedSize > limits.entryBytes) throw tooLarge();
  if (uncompressedSize > ratioFreeBytes && uncompressedSize > limits.ratio * compressedSize)
    throw unsafe('a file is compressed far more than any text is');
}

/** Files that share their bytes make much out of little. */
function refuseOverlap(entries: readonly Entry[], archiveBytes: number): void {
  let end = 0;
  for (const { relativeOffsetOfLocalHeader, compressedSize } of entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )) {
    if (relativeOffsetOfLocalHeader < end) throw unsafe('files lie over each other');
    end = relativeOffsetOfLocalHeader + localHeaderBytes + compressedSize;
  }
  if (end > archiveBytes) throw damaged();
}

/** Without the name, which it holds once more. */
const localHeaderBytes = 30;

async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limits.entryBytes) {
      stream.destroy();
      throw tooLarge();
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) throw damaged();
  return bytes;
}

function unsafe(problem: string): JobError {
  return new JobError('unsafe_tree', `The archive is not opened: ${problem}.`, {
    action: 'Make the archive anew from the files themselves.',
  });
}

function damaged(): JobError {
  return new JobError('bad_content', 'The archive is damaged, or not a ZIP archive.', {
    action: 'Make it anew, and check that it can be opened.',
  });
}

function tooMany(): JobError {
  return new JobError('limit', `The archive holds more than ${limits.entries} files.`, { action: 'Divide it.' });
}

function tooLarge(): JobError {
  return new JobError(
    'too_large',
    `The archive holds more than ${limits.totalBytes / MiB} MB, or a file of more than ${limits.entryBytes / MiB} MB.`,
    {
      action: 'Divide it, or leave out what is large.',
    },
  );
}
