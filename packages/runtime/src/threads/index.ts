export { answerRequests } from './answerRequests.ts';
export { createPersistentThread, type PersistentThread } from './persistentThread.ts';
export { createThreadPool } from './threadPool.ts';
export { createThreadRest, threadRestMs, type ThreadRest } from './threadRest.ts';
