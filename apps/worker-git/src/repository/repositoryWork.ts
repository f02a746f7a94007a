import type { LeftCommit } from './leftCommit.ts';
import type { ExportAsks, ExportOutcome, ExportPoint, ExportRequest, ExportStage } from './repositoryExport.ts';
import type { KnownBlobs, ReadingPoint, ReadingStage, RepositoryReading, RepositoryRequest } from './repositoryReading.ts';

/** What a process can be asked for: each with its request, what it says and asks while it is at it, and its result. */
export type RepositoryWork = {
  read: {
    request: RepositoryRequest;
    stage: ReadingStage;
    point: ReadingPoint;
    asks: { known(): Promise<KnownBlobs>; isLeft(commit: LeftCommit): Promise<boolean> };
    result: RepositoryReading;
  };
  write: { request: ExportRequest; stage: ExportStage; point: ExportPoint; asks: ExportAsks; result: ExportOutcome };
};

export type WorkKind = keyof RepositoryWork;

/** All that a process may ask, whatever it is at. Each takes one argument at most. */
export type RepositoryAsks = RepositoryWork['read']['asks'] & RepositoryWork['write']['asks'];

/** How whoever asked for some work follows it. A point or an answer that fails, fails the work. */
export type WorkControl<Kind extends WorkKind> = {
  onStage(stage: RepositoryWork[Kind]['stage'], done?: number, total?: number): void;
  onPoint(point: RepositoryWork[Kind]['point']): Promise<void>;
  asks: RepositoryWork[Kind]['asks'];
};
