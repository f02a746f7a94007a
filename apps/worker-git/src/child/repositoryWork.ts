import type { UnrecordedPush } from './unrecordedPush.ts';
import type {
  ExportAsks,
  ExportOutcome,
  ExportPoint,
  ExportRequest,
  ExportStage,
} from './repositoryExport.ts';
import type {
  KnownBlobs,
  ReadingPoint,
  ReadingStage,
  RepositoryReading,
  RepositoryRequest,
} from './repositoryReading.ts';

/** The works of a repository process, each with its request, its events, its asks and its result. */
export type RepositoryWork = {
  read: {
    request: RepositoryRequest;
    event: RepositoryEvent<ReadingStage, ReadingPoint>;
    asks: { known(): Promise<KnownBlobs>; isUnrecordedPush(commit: UnrecordedPush): Promise<boolean> };
    result: RepositoryReading;
  };
  write: {
    request: ExportRequest;
    event: RepositoryEvent<ExportStage, ExportPoint>;
    asks: ExportAsks;
    result: ExportOutcome;
  };
};

/** A stage with its progress, or a point at which a test may break the worker. */
export type RepositoryEvent<Stage extends string, Point extends string> =
  | { kind: 'stage'; stage: Stage; done?: number; total?: number }
  | { kind: 'point'; point: Point };
