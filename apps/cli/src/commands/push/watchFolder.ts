import { listenForStop } from '../../launcher/stopSignal.ts';
import { Refusal } from '../../refusal.ts';
import type { ApiAccess } from '../api/apiAccess.ts';
import { showProgress } from '../api/showProgress.ts';
import { folderSender, type FolderOptions } from './sendFolder.ts';
import { pushFormatOf } from './showResult.ts';
import { showTarget } from './showTarget.ts';
import { requireFolder } from './walkFolder.ts';
import { watchChanges } from './watchChanges.ts';

export type Watching = {
  root: string;
  space: string;
  options: FolderOptions;
  /** Called after each sending that changed something, and after the first one. */
  onSent?(changeRequest: string | undefined): Promise<void>;
};

/**
 * Sends a folder, and again whenever it changes, until Ctrl-C. Names files that cannot be sent, and sends
 * them with the next change.
 *
 * @returns 0 after Ctrl-C, once a sending that has begun is done
 * @throws Refusal when the folder cannot be sent the first time, or no longer be watched
 */
export async function watchFolder(
  api: ApiAccess,
  { root, space, options, onSent }: Watching,
): Promise<number> {
  const signal = listenForStop({ onSecond: () => process.exit(1) });
  const progress = showProgress(process.stderr);
  const sender = folderSender(api, { root, space, show: progress.show });
  const print = pushFormatOf('text');
  let isFirst = true;
  const send = async () => {
    const result = await sender.send({ ...options, dryRun: false }).finally(() => progress.end());
    if (result.unchanged && !isFirst) return;
    isFirst = false;
    const target = await showTarget(api, { space, changeRequest: result.changeRequest });
    process.stdout.write(print('', { ...result, dryRun: false, merged: false, ...target }));
    await onSent?.(result.changeRequest);
  };
  await requireFolder(root);
  const changes = watchChanges(root, signal);
  try {
    await send();
    console.log(`Watching ${root}; Ctrl-C ends it.`);
    while (await changes.next()) await send().catch(sayRefusal);
    console.log('Stopped. The change request stays.');
    return 0;
  } finally {
    changes.close();
  }
}

function sayRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.text);
}
