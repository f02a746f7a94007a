import { answerRequests } from '@bindery/runtime/threads';
import type { ThreadTask } from './parserThreads.ts';
import { threadFunctions } from './threadFunctions.ts';

/** Runs on a thread of parserThreads.ts: receives tasks and sends their results. */
answerRequests(({ name, input }: ThreadTask) => threadFunctions[name](input as never));
