import { createLogger } from '@bindery/runtime';

export const silentLogger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
