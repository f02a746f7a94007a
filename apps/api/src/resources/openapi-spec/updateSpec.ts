import type { UpdateOpenAPISpec } from '@bindery/contract';
import {
  nextSpecRefresh,
  OpenAPISpec,
  requestSpecFollowUp,
  withTransaction,
  type OpenAPISpecRecord,
} from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';

/** Changes who may read a specification, and how often its URL is fetched again. */
export async function updateSpec(
  spec: OpenAPISpecRecord,
  { visibility, refreshMinutes: given, standardMinutes }: UpdateOpenAPISpec & { standardMinutes: number },
): Promise<OpenAPISpecRecord> {
  const refreshMinutes = given === undefined ? spec.refreshMinutes : (given ?? undefined);
  const isVisibilityOther = visibility !== undefined && visibility !== spec.visibility;
  const isRefreshOther = refreshMinutes !== spec.refreshMinutes;
  if (!isVisibilityOther && !isRefreshOther) return spec;
  const now = new Date();
  const fields = {
    updatedAt: now,
    ...(isVisibilityOther && { visibility }),
    ...(isRefreshOther && {
      refreshMinutes,
      nextRefreshAt: nextSpecRefresh({ ...spec, refreshMinutes } as OpenAPISpecRecord, {
        standardMinutes,
        now,
      }),
    }),
  };
  return withTransaction(async (session) => {
    // Search in spaces where guests may write shows public specifications only.
    if (isVisibilityOther) await requestSpecFollowUp(spec, session);
    return changeRecord(OpenAPISpec, spec, fields, { session });
  });
}
