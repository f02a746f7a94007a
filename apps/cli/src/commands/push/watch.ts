import { dataOption, parseOptions, type Usage } from '../../options.ts';
import { openApi } from '../api/apiAccess.ts';
import { folderOptions, readFolderOptions } from './folderOptions.ts';
import { watchFolder } from './watchFolder.ts';

export const watchUsage = {
  command: 'watch',
  operands: '<DIR>',
  options: { ...folderOptions, ...dataOption },
} satisfies Usage;

/** @returns as `watchFolder` does */
export async function watch(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(watchUsage, args);
  const watching = readFolderOptions('watch', operands, values);
  return watchFolder(openApi({ data: values.data, environment }), watching);
}
