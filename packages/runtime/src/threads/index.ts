export { answerRequests } from './answerRequests.ts';
export { createPersistentThread, threadRestMs, type PersistentThread } from './persistentThread.ts';
export { createThreadPool } from './threadPool.ts';
