import { finished } from 'node:stream/promises';
import { parseOptions, dataOption, type Usage } from '../../options.ts';
import { openApi } from '../api/apiAccess.ts';
import { serveAgents } from './serveAgents.ts';

export const mcpUsage = {
  command: 'mcp',
  options: {
    write: {
      help: 'Let the agent make change requests, change pages in them, and comment. It cannot merge.',
    },
    ...dataOption,
  },
} satisfies Usage;

/**
 * Serves an agent until its client closes the standard input. It reaches what the token may read and write:
 * the one that `findLogin` finds.
 *
 * @returns 0
 */
export async function mcp(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values } = parseOptions(mcpUsage, args);
  const api = openApi({ data: values.data, environment });
  const server = serveAgents(api, { mayWrite: values.write === true });
  // A client that is gone ends the input, or breaks it.
  await finished(process.stdin, { writable: false }).catch(() => undefined);
  await server.close();
  return 0;
}
