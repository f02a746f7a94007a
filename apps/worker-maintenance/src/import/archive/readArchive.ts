import { crc32 } from 'node:zlib';
import { JobError } from '@bindery/contract/jobErrors';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

const MiB = 1024 * 1024;

/** What an archive may cost, by what it says of itself and by what really comes out of it. */
const limits = { entries: 2_000, entryBytes: 10 * MiB, totalBytes: 200 * MiB, ratio: 200, pathBytes: 1_024, nameBytes: 255, depth: 32 };

/** A small file may be all the same letter. */
const ratioFreeBytes = MiB;

/** Nobody can tell what is in archives that are not opened. */
const nested = /\.(?:zip|jar|war|apk|epub|7z|rar|tar|t?gz|tgz|bz2|xz|zst)$/i;

/** What has come out so far: of an archive and of those in it together. */
type Taken = { files: Map<string, Buffer>; entries: number; bytes: number };

type Unpacking = {
  /** Where its files go. */
  folder: string;
  /** Where a file goes whose name another archive has taken. */
  otherFolder: string;
  opensArchives: boolean;
  /** How many times smaller it is where it is stored itself. */
  shrinkage: number;
};

/**
 * Reads every file of a ZIP archive into memory, by its path.
 *
 * @param opensArchives  whether ZIP archives in it are read too, but none in those. All limits are for all of them together. The parts of one export
 *   lie over each other; any other archive is a folder
 * @throws JobError `unsafe_tree` for paths, links or encryption that no honest archive has, `limit` and `too_large` for more than an import takes,
 *   `bad_content` for what is no archive or damaged
 */
export async function readArchive(archive: Buffer, { opensArchives = false } = {}): Promise<Map<string, Buffer>> {
  const taken: Taken = { files: new Map(), entries: 0, bytes: 0 };
  await readInto(taken, archive, { folder: '', otherFolder: '', opensArchives, shrinkage: 1 });
  return taken.files;
}

async function readInto(taken: Taken, archive: Buffer, place: Unpacking): Promise<void> {
  const zip = await open(archive);
  try {
    if (taken.entries + zip.entryCount > limits.entries) throw tooMany();
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if ((taken.entries += 1) > limits.entries) throw tooMany();
      entries.push(entry);
    }
    for (const entry of entries) checkEntry(entry, place);
    const files = entries.filter(({ fileName }) => !fileName.endsWith('/'));
    refuseOverlap(files, archive.length);
    const declared = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (taken.bytes + declared > limits.totalBytes) throw tooLarge();

    const archives: Entry[] = [];
    const names = new Set<string>();
    for (const entry of files) {
      const name = entry.fileName.normalize('NFC');
      if (names.has(name)) throw unsafe('two files have the same name');
      names.add(name);
      if (place.opensArchives && isArchive(name)) archives.push(entry);
      else put(taken, { name, bytes: await readTaken(taken, zip, entry), place });
    }
    // What stands in the archive itself keeps its name.
    for (const entry of archives) {
      const { fileName, compressedSize, uncompressedSize } = entry;
      const bytes = await readTaken(taken, zip, entry);
      const otherFolder = fileName.replace(/\.zip$/i, '/');
      const isWhole = /\bpart-\d+\.zip$/i.test(fileName) || files.length === 1;
      const folder = isWhole ? fileName.slice(0, fileName.lastIndexOf('/') + 1) : otherFolder;
      const shrinkage = Math.max(1, uncompressedSize / Math.max(1, compressedSize));
      await readInto(taken, bytes, { folder, otherFolder, opensArchives: false, shrinkage });
    }
  } catch (error) {
    if (error instanceof JobError || error instanceof RangeError) throw error;
    // The library's texts hold names out of the archive.
    if (/relative path|absolute path|invalid characters|backslash/i.test(String(error))) throw unsafe('a name leads out of it');
    throw damaged();
  } finally {
    zip.close();
  }
}

/** An archive to open: not what a Mac keeps beside a file of that name. */
function isArchive(path: string): boolean {
  return /\.zip$/i.test(path) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(path);
}

function put({ files }: Taken, { name, bytes, place }: { name: string; bytes: Buffer; place: Unpacking }): void {
  const [path, other] = [place.folder + name, place.otherFolder + name].map((each) => each.normalize('NFC')) as [string, string];
  const known = files.get(path);
  // The parts of an export may share files.
  if (known?.equals(bytes)) return;
  if (known && files.has(other)) throw unsafe('two files have the same name');
  files.set(known ? other : path, bytes);
}

async function readTaken(taken: Taken, zip: ZipFile, entry: Entry): Promise<Buffer> {
  const bytes = await readEntry(zip, entry);
  taken.bytes += bytes.length;
  if (taken.bytes > limits.totalBytes) throw tooLarge();
  return bytes;
}

async function open(archive: Buffer): Promise<ZipFile> {
  if (archive.toString('latin1', 0, 2) !== 'PK') {
    throw new JobError('bad_content', 'The downloaded file is not a ZIP archive.', {
      action: 'Check that the URL leads to the file itself, without a sign-in, and that `source` says what it is.',
    });
  }
  try {
    return await fromBufferPromise(archive, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true, autoClose: false });
  } catch {
    throw damaged();
  }
}

function checkEntry(entry: Entry, { folder, opensArchives, shrinkage }: Unpacking): void {
  const { fileName, compressedSize, uncompressedSize, externalFileAttributes, versionMadeBy } = entry;
  if (entry.isEncrypted()) throw unsafe('a file is encrypted');
  // The upper half is what Unix keeps of a file: its kind and its rights.
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  if (versionMadeBy >>> 8 === 3 && kind !== 0 && kind !== 0o100000 && kind !== 0o040000)
    throw unsafe('it holds a symbolic link or a device');
  if (/\p{Cc}/u.test(fileName) || fileName.includes('\\')) throw unsafe('a name holds characters that no file has');
  const path = folder + fileName;
  const segments = path.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) throw unsafe('a name leads out of it');
  if (Buffer.byteLength(path) > limits.pathBytes || segments.some((segment) => Buffer.byteLength(segment) > limits.nameBytes))
    throw unsafe('a name is too long');
  if (segments.length > limits.depth) throw new JobError('limit', `The archive nests folders more than ${limits.depth} levels deep.`);
  const isOpened = opensArchives && /\.zip$/i.test(fileName);
  if (nested.test(fileName) && !isOpened) {
    throw new JobError('unsafe_tree', 'The archive contains another archive, which is not opened.', {
      action: 'Unpack the inner archive, or leave it out.',
    });
  }
  if (uncompressedSize > maxBytesOf(entry)) throw tooLarge();
  if (uncompressedSize > ratioFreeBytes && uncompressedSize * shrinkage > limits.ratio * compressedSize)
    throw unsafe('a file is compressed far more than any text is');
}

/** An archive in an archive holds many files, each of which has the limit of one. */
function maxBytesOf({ fileName }: Entry): number {
  return isArchive(fileName) ? limits.totalBytes : limits.entryBytes;
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
  const maxBytes = maxBytesOf(entry);
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) {
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
    action: 'Create the archive again from the files.',
  });
}

function damaged(): JobError {
  return new JobError('bad_content', 'The archive is damaged, or not a ZIP archive.', {
    action: 'Create it again, and check that it can be opened.',
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
