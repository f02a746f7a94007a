import { parentPort, workerData } from 'node:worker_threads';
import { compareSpecifications, diffAsHtml, diffAsMarkdown, ofKnownRules } from '@bindery/openapi-diff';
import type { DiffTask } from './compareVersions.ts';

// A thread of compareVersions: compares two documents, then ends.
const { before, after, title, format, severities } = workerData as DiffTask;

/** The document in the list of files that readers get. */
function documentOf(bytes: Uint8Array): object {
  const [file] = JSON.parse(new TextDecoder().decode(bytes)) as { specification: object }[];
  return file?.specification ?? {};
}

const diff = compareSpecifications(documentOf(before), documentOf(after), {
  severities: ofKnownRules(severities),
});
const writers = {
  json: () => JSON.stringify(diff),
  markdown: () => diffAsMarkdown(diff, { title }),
  html: () => diffAsHtml(diff, { title }),
};
parentPort?.postMessage(writers[format]());
