export { codeVersionOf } from './codeVersion.ts';
export { appMemoryVariables, appNodeOptions } from './memory/appMemory.ts';
export { chunksOf } from './chunksOf.ts';
export { compact } from './compact.ts';
export {
  configSchema,
  generateSecretKey,
  loadBlobConfig,
  loadConfig,
  loadSecretKeys,
  type Config,
  type EngineName,
} from './config.ts';
export { faultPoint } from './faultPoint.ts';
export { createHttpServer, type HttpServer, type RefusalText, type RefusedRequest } from './httpServer.ts';
export { newId, randomText } from './ids.ts';
export { reportReady, stopOnSignals } from './lifecycle.ts';
export { collectAtRest } from './memory/memoryAtRest.ts';
export { describeFailure, toJobError, type Failure } from './limitedProcess/failure.ts';
export {
  childUidRange,
  describeIsolation,
  findIsolation,
  type Isolation,
} from './limitedProcess/isolation.ts';
export type { LimitedRun } from './limitedProcess/limitedProcess.ts';
export { createLimitedProcesses, type LimitedProcesses } from './limitedProcess/limitedProcesses.ts';
export type { HandedFolder } from './limitedProcess/handOver.ts';
export type { LimitedKind } from './limitedProcess/startChild.ts';
export { reapOrphans } from './limitedProcess/reapOrphans.ts';
export { startProgram, type Program } from './limitedProcess/startProgram.ts';
export type { GroupOptions, WorkContext, WorkHandler } from './limitedProcess/work.ts';
export { createLogger, type Logger } from './logger.ts';
export { createReadiness, noteUnless, type Readiness, type ReadyCheck } from './readiness.ts';
export { connectionErrors, mongoStateChanges } from './connectionErrors.ts';
export { messageOf } from './messageOf.ts';
export { createTurns, type Turn } from './turns.ts';
export { platformVersion } from './platformVersion.ts';
export { identityOf, isRunning, ownIdentity, statOf, type ProcessIdentity } from './processes.ts';
export { shellQuote } from './shellQuote.ts';
export { connectRedis, type Redis } from './redis.ts';
export { findRedisProblems, type Finding } from './redisProblems.ts';
export { scrubSecrets } from './scrubSecrets.ts';
export {
  isOpenable,
  isSignatureValid,
  keyIdOf,
  openSecret,
  sealSecret,
  signText,
  type SealedSecret,
  type SecretKeys,
} from './secrets.ts';
export { apiPath } from './web/apiPath.ts';
export { createBodyRoom, type BodyRoom } from './web/bodyRoom.ts';
export { encodedText, encodingFor, type EncodedText, type Encoding } from './web/encodedText.ts';
export { isOwnOrigin } from './web/isOwnOrigin.ts';
export { networkOf } from './web/networkOf.ts';
export { readRequestBody, type RefusedBody } from './web/readRequestBody.ts';
export { slidingWindow } from './web/slidingWindow.ts';
export {
  createWorkFolder,
  inWorkFolder,
  ownFolder,
  removeWorkFolder,
  type WorkFolderPurpose,
} from './workFolder.ts';
