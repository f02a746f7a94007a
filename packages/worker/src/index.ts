export { type WorkerDescription } from './description.ts';
export { runWorkerApp, type WorkerParts } from './runWorkerApp.ts';
