export { answerRequests } from './answerRequests.ts';
export { createPersistentThread, type PersistentThread } from './persistentThread.ts';
export { createThreadPool } from './threadPool.ts';
