import { apiPath } from '@bindery/runtime';
import { z } from 'zod';

const id = z.string().min(1).max(100);

export const organization = id.describe('The id of the organization.');
export const space = id.describe('The id of the space.');
export const page = id.describe('The id of the page.');
export const changeRequest = id.describe('The id or the number of the change request.');

/** The path of a space, or of a change request of it, below `/v1`. */
export function placeOf(place: { space: string; changeRequest?: string | undefined }): string {
  const own = apiPath`/spaces/${place.space}`;
  return place.changeRequest === undefined ? own : own + apiPath`/change-requests/${place.changeRequest}`;
}
