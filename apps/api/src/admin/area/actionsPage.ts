import { html, moment, table, type Value } from '@bindery/html';
import { OperatorAction, User, type OperatorActionRecord } from '@bindery/models';
import type { AreaPage } from './layout.ts';

const actionsShown = 100;

/** The last actions of operators. */
export async function actionsPage(): Promise<AreaPage> {
  const actions = await OperatorAction.find()
    .sort({ at: -1 })
    .limit(actionsShown)
    .lean<OperatorActionRecord[]>();
  const users = await User.find(
    { _id: { $in: [...new Set(actions.map(({ operator }) => operator))] } },
    { displayName: 1 },
  ).lean<{ _id: string; displayName: string }[]>();
  const names = new Map(users.map(({ _id, displayName }) => [_id, displayName]));
  return {
    title: 'Actions of operators',
    main: table(
      {
        id: 'actions',
        caption: `The last ${actionsShown}, newest first. Times are UTC.`,
        none: 'No operator has acted yet.',
      },
      [
        { name: 'Time', cell: ({ at }) => moment(at) },
        {
          name: 'Operator',
          cell: ({ operator }) => html`${names.get(operator)} <span class="soft">${operator}</span>`,
        },
        { name: 'Action', cell: ({ action }) => action },
        { name: 'Target', cell: targetOf },
        { name: 'Outcome', cell: ({ outcome }) => outcome ?? 'unknown: its process died' },
      ],
      actions,
    ),
  };
}

function targetOf({ action, target }: OperatorActionRecord): Value {
  if (action === 'replay') return html`<a href="/admin/replays/${target}">${target}</a>`;
  if (action === 'cancel' || action === 'retry') return html`<a href="/admin/jobs/${target}">${target}</a>`;
  return target;
}
