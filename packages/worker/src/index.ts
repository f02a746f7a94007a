export {
  containerNeeds,
  processHeapMb,
  processMemoryMb,
  type ContainerNeeds,
  type WorkerDescription,
} from './description.ts';
export { longestStopMs, runWorkerApp, StartProblem, type WorkerParts } from './runWorkerApp.ts';
