import { plain } from './plain.ts';

/** How far a job is, or a note to keep on the screen. */
export type Progress = { stage: string; done?: number; total?: number } | { note: string };

const width = 30;
const stages: Record<string, string> = {
  read: 'Reading',
  content_process: 'Reading the content',
  fetch: 'Fetching the document',
  finalize: 'Publishing',
  print: 'Printing',
  contents: 'Printing the contents',
  store: 'Storing',
  copy: 'Copying files',
};
/** Without a terminal, a line for each of these steps. */
const stepPercent = 10;

/** Shows progress: on a terminal as a bar that moves, elsewhere as a few lines. */
export function showProgress(output: NodeJS.WriteStream): {
  show(progress: Progress): void;
  end(): void;
} {
  let last = '';
  let hasBar = false;
  const clear = () => {
    if (hasBar) output.write('\r\x1b[K');
    hasBar = false;
  };
  return {
    show(progress) {
      if ('note' in progress) {
        clear();
        output.write(`${plain(progress.note)}\n`);
        return;
      }
      const text = output.isTTY ? barOf(progress) : lineOf(progress);
      if (text === last) return;
      last = text;
      clear();
      output.write(output.isTTY ? text : `${text}\n`);
      hasBar = output.isTTY;
    },
    end: clear,
  };
}

function barOf(progress: Exclude<Progress, { note: string }>): string {
  const { done, total } = progress;
  if (done === undefined || !total) return nameOf(progress);
  const full = Math.round((width * Math.min(done, total)) / total);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${nameOf(progress)} ${done} of ${total} pages`;
}

function lineOf(progress: Exclude<Progress, { note: string }>): string {
  const { done, total } = progress;
  if (done === undefined || !total) return nameOf(progress);
  const percent = Math.floor((100 * done) / total / stepPercent) * stepPercent;
  return `${nameOf(progress)}: ${percent} %`;
}

function nameOf({ stage }: Exclude<Progress, { note: string }>): string {
  return stages[stage] ?? plain(stage);
}
