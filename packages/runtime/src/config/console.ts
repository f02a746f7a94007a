import { z } from 'zod';
import { whole } from './parsers.ts';

export const consoleApp = {
  BINDERY_CONSOLE_PORT: whole(0, 65535, 3003).describe(
    'Port that the console listens on, at the address `HOST`; 0 takes a free one.',
  ),
  BINDERY_CONSOLE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Origin under which people reach the console. Its cookie is safe with `https` only; use `http` on your own machine. Default: `http://HOST:BINDERY_CONSOLE_PORT`.',
    ),
  BINDERY_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Origin under which the console reaches the API, and commands that call it. Default: the public URL.',
    ),
};
