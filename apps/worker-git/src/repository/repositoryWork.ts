import type { LeftCommit } from './leftCommit.ts';
import type { ExportAsks, ExportOutcome, ExportPoint, ExportRequest, ExportStage } from './repositoryExport.ts';
import type { KnownBlobs, ReadingPoint, ReadingStage, RepositoryReading, RepositoryRequest } from './repositoryReading.ts';

/** What a process can be asked for: each with its request, what it tells and asks while it is at it, and its result. */
export type RepositoryWork = {
  read: {
    request: RepositoryRequest;
    event: RepositoryEvent<ReadingStage, ReadingPoint>;
    asks: { known(): Promise<KnownBlobs>; isLeft(commit: LeftCommit): Promise<boolean> };
    result: RepositoryReading;
  };
  write: { request: ExportRequest; event: RepositoryEvent<ExportStage, ExportPoint>; asks: ExportAsks; result: ExportOutcome };
};

/** A stage with how far it is, or a point at which a test may break the process that asked. */
export type RepositoryEvent<Stage extends string, Point extends string> =
  | { kind: 'stage'; stage: Stage; done?: number; total?: number }
  | { kind: 'point'; point: Point };
