import { duration, html, moment, table } from '@bindery/html';
import { listKindStates, listLimits, type KindState } from '@bindery/jobs';
import { databaseNow } from '@bindery/models';
import { listPath } from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { limitsText } from './limitsPage.ts';
import { askLink } from './parts.ts';

/** All kinds of jobs, with their pauses and limits. */
export async function kindsPage(): Promise<AreaPage> {
  const [kinds, limits] = await Promise.all([listKindStates(), listLimits()]);
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
      name: 'Limits',
      cell: ({ kind }) => limitsText(limits.filter((limit) => limit.kind === kind)),
    },
    {
      name: 'Change',
      cell: ({ kind, pause }) => {
        const action = pause ? 'resume' : 'pause';
        return html`${askLink(`kinds/${kind}/${action}`, `${pause ? 'Resume' : 'Pause'} ${kind}`)}${askLink(`kinds/${kind}/limits`, `Limits of ${kind}`)}`;
      },
    },
  ],
  kinds,
)}`,
  };
}
