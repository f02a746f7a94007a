import { JobError } from '@bindery/contract/jobErrors';

const limitsMs = { first: 60_000, most: 3_600_000 };

/**
 * Keeps the requests of this process from a server that asked to wait without saying how long, and bans who
 * does not. Each time that it asks again, the pause is twice as long.
 */
export class Pause {
  readonly #name: string;
  #nextMs: number = limitsMs.first;
  #until = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws JobError while the pause lasts */
  check(): void {
    const leftMs = this.#until - Date.now();
    if (leftMs > 0) throw this.#throttled(leftMs);
  }

  /** @param askedMs  what the server asked for */
  begin(askedMs: number | undefined): JobError {
    const pauseMs = Math.max(askedMs ?? 0, this.#nextMs);
    this.#until = Date.now() + pauseMs;
    this.#nextMs = Math.min(2 * this.#nextMs, limitsMs.most);
    return this.#throttled(pauseMs);
  }

  /** After an answer, the next pause is a short one. */
  end(): void {
    this.#nextMs = limitsMs.first;
  }

  #throttled(retryAfterMs: number): JobError {
    return new JobError('throttled', `${this.#name} asked to slow down.`, { retryAfterMs });
  }
}
