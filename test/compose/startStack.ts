import { dockerStack } from './dockerStack.ts';
import { missingNamespaces, processStack } from './processStack.ts';
import type { Stack, StackOptions } from './stack.ts';

/**
 * Starts the stack: by `docker compose` where a Docker engine answers, else as processes in namespaces.
 *
 * @returns why it can do neither, where it cannot
 */
export async function startStack(options: StackOptions): Promise<Stack | { missing: string }> {
  if (dockerStack.isThere()) return dockerStack.start(options);
  const missing = missingNamespaces();
  return missing === undefined ? processStack(options) : { missing };
}
