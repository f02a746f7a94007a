export { configSchema, generateSecretKey, loadConfig, type Config } from './config.ts';
export { faultPoint } from './faultPoint.ts';
export { newId, randomText } from './ids.ts';
export { reportReady, stopOnSignals } from './lifecycle.ts';
export { createLogger, type Logger } from './logger.ts';
export { connectRedis, type Redis } from './redis.ts';
export { scrubSecrets } from './scrubSecrets.ts';
export { isSignatureValid, openSecret, sealSecret, signText, type SealedSecret, type SecretKeys } from './secrets.ts';
