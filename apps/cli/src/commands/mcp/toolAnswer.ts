import type { CallToolResult } from '@modelcontextprotocol/server';
import { Refusal } from '../../refusal.ts';

/**
 * The answer of a tool: each part is a text, or JSON.
 *
 * A refusal of the API is an answer too, in its own words, so that the agent can correct its call.
 */
export async function toolAnswer(work: () => Promise<readonly unknown[]>): Promise<CallToolResult> {
  try {
    const parts = await work();
    return {
      content: parts.map((part) => ({
        type: 'text' as const,
        text: typeof part === 'string' ? part : JSON.stringify(part),
      })),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { content: [{ type: 'text', text: error.text }], isError: true };
  }
}
