export { acceptJob, type JobRequest } from './accept/acceptJob.ts';
export { replacedImports } from './accept/replacedImports.ts';
export { countUnfinishedPdfs } from './accept/countUnfinished.ts';
export { dropUnusedFiles, renewResultFile } from './state/resultFiles.ts';
export { acceptOrJoin } from './accept/acceptOrJoin.ts';
export { awaitRedis, closeJobs, connectJobs, openQueues, pingRedis, runScript } from './queue/client.ts';
export { cancelJob, retryJob } from './accept/controlJob.ts';
export {
  checkKinds,
  defineJob,
  retries,
  type JobDefinition,
  type QueueName,
} from './definitions/defineJob.ts';
export { engineOffers } from './queue/engineOffers.ts';
export { openJobFeed, type JobFeed } from './queue/events.ts';
export { readJobGauges } from './queue/jobGauges.ts';
export { readLimitGauges } from './queue/limitGauges.ts';
export { shownJobFields, type JobSnapshot, type ShownJob } from './queue/followedJobs.ts';
export { explainWaiting, hasLiveWorker, outputVersionsOf, type Waiting } from './queue/explainWaiting.ts';
export { gitJobs } from './definitions/git.ts';
export { contentImportJobs, folderJobs, wikiImportJobs } from './definitions/import.ts';
export { findJobs, jobsScanned, listJobKinds, type JobFilter, type JobPage } from './operate/findJobs.ts';
export {
  findLaneHolder,
  findQueueEntry,
  findRunningJobs,
  jobOfQueueEntry,
  listKindStates,
  listLiveWorkers,
  type KindState,
} from './operate/inspect.ts';
export { diagnoseJobs, type Diagnosis } from './operate/diagnose.ts';
export { audited } from './operate/audited.ts';
export {
  continueReplays,
  maxReplayed,
  proposeReplay,
  replayableStates,
  startReplay,
  startReplays,
  type ReplayFilter,
} from './operate/replays.ts';
export { clearLimit, describeLimit, listLimits, setLimit, type LimitPlace } from './operate/setLimits.ts';
export { pauseKind, resumeKind } from './state/pauses.ts';
export { readLog, readLogPart } from './state/jobLog.ts';
export {
  holdLeadership,
  leadInTurns,
  releaseLeadership,
  takeLeadership,
  type Turn,
} from './state/leadership.ts';
export { storageTurn, type StorageTurn } from './state/storageTurn.ts';
export { cancelJobsAbout, hideJobsAbout, transferJobsOf } from './accept/jobsAbout.ts';
export { openapiJobs } from './definitions/openapi.ts';
export {
  keepOutcomes,
  lastGitOperationKey,
  oweEarlierOutcomes,
  startOutcomeKeeper,
} from './state/outcomes.ts';
export { findJobOfSpec, isUnfinished, refreshSpec } from './accept/refreshSpec.ts';
export { lastSpecOutcome, storingOutcome } from './state/specOutcome.ts';
export { pdfJobs } from './definitions/pdf.ts';
export { Superseded, type Outcome, type Processor, type Run } from './worker/processor.ts';
export { startWorker, type Processors, type RunningWorker } from './worker/startWorker.ts';
export { startSweeper, sweep } from './sweep/sweeper.ts';
export { publishSyncEvents } from './state/syncEvents.ts';
export { translationJobs } from './definitions/translation.ts';
export {
  changeInstructions,
  estimateTranslation,
  runTranslation,
  translationRunKey,
} from './accept/translationRun.ts';
export { workerQueues, workerStates } from './queue/workerStates.ts';
