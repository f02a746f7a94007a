/** A part of a request that the API did not accept; `path` names the field. */
export type Detail = { path: string; message: string };

/** A refusal of the API in its own words, or its silence. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly type: string;
  readonly action: string | undefined;
  readonly details: readonly Detail[];

  constructor(
    given: { status: number; type: string; message: string; action?: string | undefined; details?: Detail[] },
    options?: ErrorOptions,
  ) {
    super(given.message, options);
    this.status = given.status;
    this.type = given.type;
    this.action = given.action;
    this.details = given.details ?? [];
  }

  static of(status: number, body: unknown): ApiFailure {
    const { error } = (body ?? {}) as { error?: Partial<ApiFailure> };
    return new ApiFailure({
      status,
      type: error?.type ?? 'internal',
      message: error?.message ?? `The API answered ${status}.`,
      action: error?.action,
      details: [...(error?.details ?? [])],
    });
  }

  static noAnswer(cause: unknown): ApiFailure {
    return new ApiFailure(
      {
        status: 502,
        type: 'no_answer',
        message: 'The API does not answer.',
        action: 'Try again in a minute; if the error persists, tell the operator.',
      },
      { cause },
    );
  }
}
