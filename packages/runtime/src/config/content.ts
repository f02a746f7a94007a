import { z } from 'zod';
import { whole } from './parsers.ts';

export const git = {
  BINDERY_GIT_MEMORY_MB: whole(128, 65_536, 512).describe(
    'Heap of the process that reads one repository, in megabytes.',
  ),
  BINDERY_GIT_TIMEOUT_SECONDS: whole(1, 86_400, 300).describe(
    'Time limit for all transfers of a git job, in seconds.',
  ),
  BINDERY_GIT_MAX_PACK_MB: whole(1, 2_000, 250).describe('Maximum size of a fetched pack, in megabytes.'),
  BINDERY_GIT_MAX_PAGE_MB: whole(1, 100, 10).describe(
    'Maximum size of a Markdown file, in megabytes; a repository with a larger one is refused.',
  ),
  BINDERY_GIT_MAX_FILE_MB: whole(1, 1_000, 25).describe(
    'Maximum size of other files, in megabytes; larger ones are skipped and named in the job log.',
  ),
  BINDERY_GIT_MAX_ENTRIES: whole(1, 1_000_000, 50_000).describe(
    'Maximum number of files and folders of a repository.',
  ),
  BINDERY_GIT_MAX_TOTAL_MB: whole(1, 10_000, 512).describe(
    'Maximum size of all files of a repository together, in megabytes.',
  ),
};

export const pdf = {
  BINDERY_PDF_WAIT_SECONDS: whole(0, 60, 60).describe(
    'How long a request for a PDF waits for it, in seconds; must be less than the timeout of a proxy in front of the API.',
  ),
  BINDERY_PDF_WAITING_PER_USER: whole(1, 1_000, 10).describe(
    'How many PDFs that are not printed yet one user may have started; those that others started do not count.',
  ),
  BINDERY_PDF_RETENTION_HOURS: whole(2, 8_760, 24).describe(
    'How long a PDF is stored after it was last asked for, in hours.',
  ),
  CHROME_PATH: z
    .string()
    .optional()
    .describe(
      'Program of Chromium, which prints PDFs; best its headless shell. Default: that of the system, such as `/usr/bin/chromium-headless-shell`.',
    ),
  BINDERY_PDF_FONTS: z
    .string()
    .optional()
    .describe(
      'Fontconfig file that names the fonts of PDFs. `npm start` and the image bring one; without it, PDFs use the fonts of the machine.',
    ),
  BINDERY_PDF_MEMORY_MB: whole(256, 65_536, 700).describe(
    'Maximum memory of the Chromium that prints one PDF, in megabytes.',
  ),
  BINDERY_PDF_CHUNK_SECONDS: whole(1, 600, 15).describe(
    'Time limit for loading one part of a PDF in Chromium, and again for printing it, in seconds; a part is some ten pages.',
  ),
};

export const contentImport = {
  BINDERY_IMPORT_WAIT_SECONDS: whole(0, 60, 60).describe(
    'How long a request for a content import waits for it, in seconds; must be less than the timeout of a proxy in front of the API.',
  ),
  BINDERY_IMPORT_MEMORY_MB: whole(128, 65_536, 512).describe(
    'Heap of the process that reads one import of content, in megabytes.',
  ),
};

export const openapi = {
  BINDERY_OPENAPI_MEMORY_MB: whole(128, 65_536, 768).describe(
    'Heap of the process that reads one API specification, in megabytes.',
  ),
  BINDERY_OPENAPI_TIMEOUT_SECONDS: whole(1, 600, 30).describe(
    'Time limit for reading an API specification that has arrived, in seconds.',
  ),
  BINDERY_OPENAPI_FETCH_TIMEOUT_SECONDS: whole(1, 60, 30).describe(
    'Time limit for fetching one file of an API specification, in seconds; the files that it refers to have five times as long together, at most 150 seconds.',
  ),
  BINDERY_OPENAPI_REFRESH_MINUTES: whole(0, 43_200, 360).describe(
    'How often the URL of an API specification without an interval of its own is fetched again, in minutes; 0 is never.',
  ),
};
