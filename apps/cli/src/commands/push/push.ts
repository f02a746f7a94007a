import { dataOption, parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi } from '../api/apiAccess.ts';
import { showProgress } from '../api/showProgress.ts';
import { folderOptions, readFolderOptions } from './folderOptions.ts';
import { mergePushed } from './mergePushed.ts';
import { folderSender, type FolderResult } from './sendFolder.ts';
import { pushFormatOf, pushFormatOption, type PushOutcome } from './showResult.ts';
import { showTarget } from './showTarget.ts';

export const pushUsage = {
  command: 'push',
  operands: '<DIR>',
  options: {
    ...folderOptions,
    merge: { help: 'Merge the change request, unless changes of others would be lost.' },
    'dry-run': { help: 'Show the changes without making them.' },
    ...pushFormatOption,
    ...dataOption,
  },
} satisfies Usage;

/** Nothing was sent, or nothing merged, because that would override edits of others, or might do so. */
const conflictCode = 2;

/**
 * Sends a folder, and shows what that changes.
 *
 * @returns 0 when it is done or there was nothing to do, 2 when `--merge` found conflicts, or content that
 *   has changed since they were looked for, or the change request has edits that would be lost
 */
export async function push(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(pushUsage, args);
  const { root, space, options } = readFolderOptions('push', operands, values);
  const dryRun = values['dry-run'] === true;
  if (dryRun && values.merge) throw new Refusal('`--dry-run` merges nothing: leave out `--merge`.');
  const format = pushFormatOf(values.format);
  const api = openApi({ data: values.data, environment });
  const progress = showProgress(process.stderr);
  let result: FolderResult;
  try {
    result = await folderSender(api, { root, space, show: progress.show }).send({ ...options, dryRun });
  } finally {
    progress.end();
  }
  const { changeRequest, conflicts, withheld = false } = result;
  const shown = await showTarget(api, { space, changeRequest });
  const mayMerge = values.merge === true && changeRequest !== undefined && conflicts === 0;
  const merged = mayMerge && (await mergePushed(api, { space, changeRequest, result }));
  const overtaken = mayMerge && !merged;
  const outcome: PushOutcome = { ...result, dryRun, merged, ...(overtaken && { overtaken }), ...shown };
  process.stdout.write(format(`bindery push ${options.name}`, outcome));
  return (withheld && !dryRun) || (values.merge && conflicts > 0) || overtaken ? conflictCode : 0;
}
