import { JobError } from '@bindery/contract/jobErrors';

/** A chunk that is not the PDF that Chromium prints: damaged, or made by a browser that was taken over. */
export function badPdf(message: string): JobError {
  return new JobError('bad_content', `The printed PDF cannot be used: ${message}.`);
}

export function overLimit(message: string): JobError {
  return new JobError('limit', `The printed PDF is too large: ${message}.`, {
    action: 'Print fewer pages into one document.',
  });
}
