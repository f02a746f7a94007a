import { crc32 } from 'node:zlib';
import { JobError } from '@bindery/contract/jobErrors';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

const MiB = 1024 * 1024;

/** Limits of an archive with all its files, for both declared and actual sizes. */
export type ArchiveLimits = { entries: number; entryBytes: number; totalBytes: number };

/** The limits of an import of content. */
const importArchiveLimits: ArchiveLimits = {
  entries: 2_000,
  entryBytes: 10 * MiB,
  totalBytes: 200 * MiB,
};

/** Limits of what no honest archive exceeds. */
const honest = { ratio: 200, pathBytes: 1_024, nameBytes: 255, depth: 32 };

/** Up to this size any compression ratio is allowed: a small file may consist of one repeated letter. */
const ratioFreeBytes = MiB;

/** Archives that are not opened, whose content is unknown. */
const nested = /\.(?:zip|jar|war|apk|epub|7z|rar|tar|t?gz|tgz|bz2|xz|zst)$/i;

/** The totals so far: of an archive and its nested archives together. */
type Taken = { files: Map<string, Buffer>; entries: number; bytes: number; limits: ArchiveLimits };

type Unpacking = {
  /** Folder of its files. */
  folder: string;
  /** Folder for a file whose name another archive has already used. */
  otherFolder: string;
  opensArchives: boolean;
  /** Whether archives in it are files as any other, which nobody opens. */
  keepsArchives: boolean;
  /** The compression ratio of the archive itself, if nested. */
  shrinkage: number;
  uploaded: string | undefined;
};

type ReadOptions = {
  opensArchives?: boolean;
  keepsArchives?: boolean;
  limits?: ArchiveLimits;
  uploaded?: string | undefined;
};

/**
 * Reads all files of a ZIP archive into memory, by path.
 *
 * @param limits  by default those of an import of content
 * @param opensArchives  whether nested ZIP archives are read too, but only one level deep. All limits apply
 *   to all of them together. The parts of one export are merged; any other nested archive is a folder
 * @param keepsArchives  whether nested archives are files as any other; otherwise they are refused
 * @param uploaded  how a refusal names an archive that was uploaded, such as `The file a.zip`; one without
 *   this was downloaded from a URL
 * @throws JobError `unsafe_tree` for paths, links or encryption that no honest archive has, `limit` and
 *   `too_large` beyond the limits, `bad_content` for damaged archives and other files
 */
export async function readArchive(
  archive: Buffer,
  { opensArchives = false, keepsArchives = false, limits = importArchiveLimits, uploaded }: ReadOptions = {},
): Promise<Map<string, Buffer>> {
  const taken: Taken = { files: new Map(), entries: 0, bytes: 0, limits };
  const place = { folder: '', otherFolder: '', opensArchives, keepsArchives, shrinkage: 1, uploaded };
  await readInto(taken, archive, place);
  return taken.files;
}

async function readInto(taken: Taken, archive: Buffer, place: Unpacking): Promise<void> {
  const zip = await open(archive, place);
  try {
    if (taken.entries + zip.entryCount > taken.limits.entries) throw tooMany(taken.limits);
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if ((taken.entries += 1) > taken.limits.entries) throw tooMany(taken.limits);
      entries.push(entry);
    }
    for (const entry of entries) checkEntry(entry, { ...place, limits: taken.limits });
    const files = entries.filter(({ fileName }) => !fileName.endsWith('/'));
    refuseOverlap(files, archive.length);
    const declared = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (taken.bytes + declared > taken.limits.totalBytes) throw tooLarge(taken.limits);

    const archives: Entry[] = [];
    const names = new Set<string>();
    for (const entry of files) {
      const name = entry.fileName.normalize('NFC');
      if (names.has(name)) throw unsafe('two files have the same name');
      names.add(name);
      if (place.opensArchives && isArchive(name)) archives.push(entry);
      else put(taken, { name, bytes: await readTaken(taken, zip, entry), place });
    }
    // Files of the outer archive keep their names.
    for (const entry of archives) {
      const { fileName, compressedSize, uncompressedSize } = entry;
      const bytes = await readTaken(taken, zip, entry);
      const otherFolder = fileName.replace(/\.zip$/i, '/');
      const isWhole = /\bpart-\d+\.zip$/i.test(fileName) || files.length === 1;
      const folder = isWhole ? fileName.slice(0, fileName.lastIndexOf('/') + 1) : otherFolder;
      const shrinkage = Math.max(1, uncompressedSize / Math.max(1, compressedSize));
      const inner = { folder, otherFolder, opensArchives: false, keepsArchives: false, shrinkage };
      await readInto(taken, bytes, { ...inner, uploaded: 'An archive in it' });
    }
  } catch (error) {
    if (error instanceof JobError || error instanceof RangeError) throw error;
    // The library's messages contain names from the archive.
    if (/relative path|absolute path|invalid characters|backslash/i.test(String(error)))
      throw unsafe('a name leads out of it');
    throw damaged();
  } finally {
    zip.close();
  }
}

/** Whether a file is a nested archive, and not the metadata file of macOS beside one. */
function isArchive(path: string): boolean {
  return /\.zip$/i.test(path) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(path);
}

function put(
  { files }: Taken,
  { name, bytes, place }: { name: string; bytes: Buffer; place: Unpacking },
): void {
  const [path, other] = [place.folder + name, place.otherFolder + name].map((each) =>
    each.normalize('NFC'),
  ) as [string, string];
  const known = files.get(path);
  // The parts of an export may share files.
  if (known?.equals(bytes)) return;
  if (known && files.has(other)) throw unsafe('two files have the same name');
  files.set(known ? other : path, bytes);
}

async function readTaken(taken: Taken, zip: ZipFile, entry: Entry): Promise<Buffer> {
  const bytes = await readEntry(zip, entry, taken.limits);
  taken.bytes += bytes.length;
  if (taken.bytes > taken.limits.totalBytes) throw tooLarge(taken.limits);
  return bytes;
}

async function open(archive: Buffer, { uploaded }: Pick<Unpacking, 'uploaded'>): Promise<ZipFile> {
  if (archive.toString('latin1', 0, 2) !== 'PK') throw notZip(uploaded);
  try {
    return await fromBufferPromise(archive, {
      lazyEntries: true,
      strictFileNames: true,
      validateEntrySizes: true,
      autoClose: false,
    });
  } catch {
    throw damaged();
  }
}

function checkEntry(
  entry: Entry,
  { folder, opensArchives, keepsArchives, shrinkage, limits }: Unpacking & { limits: ArchiveLimits },
): void {
  const { fileName, compressedSize, uncompressedSize, externalFileAttributes, versionMadeBy } = entry;
  if (entry.isEncrypted()) throw unsafe('a file is encrypted');
  // The upper half contains the Unix mode: file type and permissions.
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  if (versionMadeBy >>> 8 === 3 && kind !== 0 && kind !== 0o100000 && kind !== 0o040000)
    throw unsafe('it holds a symbolic link or a device');
  if (/\p{Cc}/u.test(fileName) || fileName.includes('\\'))
    throw unsafe('a name holds characters that no file has');
  const path = folder + fileName;
  const segments = path.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw unsafe('a name leads out of it');
  if (
    Buffer.byteLength(path) > honest.pathBytes ||
    segments.some((segment) => Buffer.byteLength(segment) > honest.nameBytes)
  )
    throw unsafe('a name is too long');
  if (segments.length > honest.depth)
    throw new JobError('limit', `The archive nests folders more than ${honest.depth} levels deep.`, {
      action: 'Move the files into folders that are nested less.',
    });
  const isOpened = opensArchives && /\.zip$/i.test(fileName);
  if (nested.test(fileName) && !isOpened && !keepsArchives) {
    throw new JobError('unsafe_tree', 'The archive contains another archive, which is not opened.', {
      action: 'Unpack the inner archive, or leave it out.',
    });
  }
  if (uncompressedSize > maxBytesOf(entry, limits)) throw tooLarge(limits);
  if (uncompressedSize > ratioFreeBytes && uncompressedSize * shrinkage > honest.ratio * compressedSize)
    throw unsafe('a file is compressed far more than any text is');
}

/** A nested archive contains many files, each with the limit of one file. */
function maxBytesOf({ fileName }: Entry, limits: ArchiveLimits): number {
  return isArchive(fileName) ? limits.totalBytes : limits.entryBytes;
}

/** Refuses overlapping entries, which expand few bytes to many files. */
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

/** Without the name, which is repeated in the local header. */
const localHeaderBytes = 30;

async function readEntry(zip: ZipFile, entry: Entry, limits: ArchiveLimits): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  const maxBytes = maxBytesOf(entry, limits);
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) {
      stream.destroy();
      throw tooLarge(limits);
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) throw damaged();
  return bytes;
}

function notZip(uploaded: string | undefined): JobError {
  if (uploaded !== undefined)
    return new JobError('bad_content', `${uploaded} is not a ZIP archive.`, { action: createAgain });
  return new JobError('bad_content', 'The downloaded file is not a ZIP archive.', {
    action:
      'Check that the URL leads to the file itself, without a sign-in, and that `source` says what it is.',
  });
}

const createAgain = 'Create it again, and check that it can be opened.';

function unsafe(problem: string): JobError {
  return new JobError('unsafe_tree', `The archive is not opened: ${problem}.`, {
    action: 'Create the archive again from the files.',
  });
}

function damaged(): JobError {
  return new JobError('bad_content', 'The archive is damaged, or not a ZIP archive.', {
    action: createAgain,
  });
}

function tooMany(limits: ArchiveLimits): JobError {
  return new JobError('limit', `The archive holds more than ${limits.entries} files.`, {
    action: 'Divide it.',
  });
}

function tooLarge(limits: ArchiveLimits): JobError {
  return new JobError(
    'too_large',
    `The archive holds more than ${limits.totalBytes / MiB} MB, or a file of more than ${limits.entryBytes / MiB} MB.`,
    {
      action: 'Split it, or leave out large files.',
    },
  );
}
