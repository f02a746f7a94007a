import { pino, type Logger as PinoLogger } from 'pino';
import { scrubSecrets } from './scrubSecrets.ts';

export type Logger = PinoLogger;

/**
 * Creates a JSON logger that scrubs serialized lines, because pino's own redaction misses credentials inside
 * messages and stacks.
 *
 * @param app  name of the process, such as `api`
 */
export function createLogger(config: { log: { level: string } }, { app }: { app: string }): Logger {
  const destination = { write: (line: string) => void process.stdout.write(scrubSecrets(line)) };
  return pino(
    { level: config.log.level, base: { app, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}
