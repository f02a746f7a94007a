import { listKindStates, type KindState } from '@bindery/jobs';
import { databaseNow } from '@bindery/models';
import { html } from '../html.ts';
import { listPath } from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { askLink, duration, moment, table } from './parts.ts';

/** All kinds of jobs, with their pauses. */
export async function kindsPage(): Promise<AreaPage> {
  return {
    title: 'Kinds of jobs',
    main: html`<p>While a kind is paused, running jobs of it end, and no others start. Their time limits continue.</p>
${table(
  { id: 'kinds', caption: 'Times are UTC.', none: 'There are no kinds yet.' },
  [
    { name: 'Kind', cell: ({ kind }) => html`<a href="${listPath({ kind })}">${kind}</a>` },
    { name: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting },
    { name: 'Running', isNumber: true, cell: ({ running }) => running },
    {
      name: 'Oldest waits for',
      isNumber: true,
      cell: ({ oldest }) => oldest && duration(oldest, databaseNow()),
    },
    { name: 'Workers', isNumber: true, cell: ({ workers }) => workers },
    {
      name: 'Starts',
      cell: ({ pause }: KindState) =>
        pause
          ? html`<span class="bad">paused</span> since ${moment(pause.pausedAt)} by ${pause.pausedBy}`
          : html`<span class="good">yes</span>`,
    },
    {
      name: 'Change',
      cell: ({ kind, pause }) => {
        const action = pause ? 'resume' : 'pause';
        return askLink(`kinds/${kind}/${action}`, `${pause ? 'Resume' : 'Pause'} ${kind}`);
      },
    },
  ],
  await listKindStates(),
)}`,
  };
}
