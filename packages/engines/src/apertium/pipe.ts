import type { Readable, Writable } from 'node:stream';
import { JobError } from '@bindery/contract/jobErrors';
import { startProgram, type Program } from '@bindery/runtime';
import { environmentOf, type ApertiumFolder, type Mode } from './modes.ts';
import { withoutStop } from './streamText.ts';

/**
 * Time limits for an answer, and for a pipeline without requests. One starts in a third of a second, on a
 * busy machine in several.
 */
const limitsMs = { start: 60_000, answer: 10_000, idle: 60_000 };
/** Requests that are written before the answer to the first one is read. */
const ahead = 256;

type Request = {
  stream: string;
  resolve(answer: string | undefined): void;
  reject(error: Error): void;
};

/** A started pipeline, and the requests that it has, by number. Without the number 0 it is ready. */
type Running = { program: Program; sent: Map<number, Request | 'ready'>; received: string };

/**
 * A pipeline of Apertium that stays, and answers requests in their order. It starts with the first request,
 * and again when it has died, or has ended after a minute without requests.
 *
 * Requests are numbered, because a lost answer would otherwise give each request the answer of another. When
 * the pipeline dies or says nothing for ten seconds, it gets the requests that it had once more, one at a
 * time: the one with which it dies alone has no answer.
 */
export class ApertiumPipe {
  readonly #modes: readonly Mode[];
  readonly #installation: ApertiumFolder;
  #queue: Request[] = [];
  /** Requests that a dead pipeline had. */
  #suspects: Request[] = [];
  #running: Running | undefined;
  #starting: Promise<void> | undefined;
  /** Resolves when the programs of a pipeline without requests have ended. */
  #resting: Promise<unknown> | undefined;
  #number = 0;
  #watchdog: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(modes: readonly Mode[], installation: ApertiumFolder) {
    this.#modes = modes;
    this.#installation = installation;
  }

  /**
   * Translates a text in the stream format; the answer has `*` before unknown words.
   *
   * @returns undefined when the pipeline dies of it
   * @throws JobError when the pipeline cannot be started, or is closed
   */
  ask(stream: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(stopped());
      this.#queue.push({ stream, resolve, reject });
      this.#send();
    });
  }

  /** Ends the programs. Requests under way are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting;
    const running = this.#running;
    this.#refuseAll(stopped());
    await Promise.all([running?.program.end(), this.#resting]);
  }

  #send(): void {
    const running = this.#running;
    if (!running) {
      this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
      return;
    }
    if (running.sent.has(0)) return;
    // In few writes: each wakes up a dozen programs.
    const stdin = running.program.child.stdin as Writable;
    stdin.cork();
    for (let request = this.#next(running); request; request = this.#next(running))
      this.#write(running, request, (this.#number += 1));
    process.nextTick(() => stdin.uncork());
  }

  #next({ sent }: Running): Request | undefined {
    if (this.#suspects.length > 0) return sent.size === 0 ? this.#suspects.shift() : undefined;
    return sent.size < ahead ? this.#queue.shift() : undefined;
  }

  #write({ program, sent }: Running, request: Request | 'ready', number: number): void {
    sent.set(number, request);
    if (sent.size === 1) this.#watch();
    const stream = request === 'ready' ? '' : request.stream;
    // Without the stop, the pipeline holds back the end of a text until the next request.
    (program.child.stdin as Writable).write(`${stream}.[<q${number}>]\0`);
  }

  async #start(): Promise<void> {
    try {
      const program = await startProgram('/bin/sh', {
        args: () => ['-c', scriptOf(this.#modes)],
        purpose: 'apertium',
        firstUid: this.#installation.firstUid,
        environment: environmentOf(this.#installation),
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const running: Running = { program, sent: new Map(), received: '' };
      this.#running = running;
      const { stdin, stdout } = program.child;
      (stdin as Writable).on('error', () => {});
      (stdout as Readable).setEncoding('utf8').on('data', (text: string) => this.#receive(text, running));
      program.child.once('exit', () => void this.#replace(running));
      this.#write(running, 'ready', 0);
    } catch (error) {
      this.#refuseAll(broken(error));
    }
  }

  #receive(text: string, running: Running): void {
    const answers = (running.received + text).split('\0');
    running.received = answers.pop() as string;
    for (const answer of answers) {
      const [, stream = '', number] = /^(.*)\[<q(\d+)>\]/s.exec(answer) ?? [];
      const request = running.sent.get(Number(number));
      running.sent.delete(Number(number));
      if (request !== undefined && request !== 'ready') request.resolve(withoutStop(stream));
    }
    if (running !== this.#running) return;
    this.#watch();
    this.#send();
  }

  /** Kills the pipeline if it does not answer in time, and ends it if there is nothing to answer. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    const running = this.#running;
    if (!running) return;
    const { sent, program } = running;
    if (sent.size === 0) this.#watchdog = setTimeout(() => this.#rest(running), limitsMs.idle);
    else this.#watchdog = setTimeout(() => program.kill(), sent.has(0) ? limitsMs.start : limitsMs.answer);
    this.#watchdog.unref();
  }

  /** Ends the programs until the next request: they take up to 200 MB. */
  #rest({ program }: Running): void {
    this.#running = undefined;
    this.#resting = program.end();
  }

  async #replace(dead: Running): Promise<void> {
    if (this.#running === dead) {
      clearTimeout(this.#watchdog);
      this.#running = undefined;
    }
    await dead.program.end();
    if (this.#isClosed) return;
    const lost = [...dead.sent.values()].filter((request) => request !== 'ready');
    if (dead.sent.has(0)) return this.#refuseAll(broken());
    if (lost.length === 1) lost[0]?.resolve(undefined);
    else this.#suspects.push(...lost);
    if (this.#suspects.length > 0 || this.#queue.length > 0) this.#send();
  }

  #refuseAll(error: JobError): void {
    clearTimeout(this.#watchdog);
    const sent = [...(this.#running?.sent.values() ?? [])].filter((request) => request !== 'ready');
    for (const { reject } of [...sent, ...this.#suspects, ...this.#queue]) reject(error);
    this.#running?.sent.clear();
    this.#running = undefined;
    this.#suspects = [];
    this.#queue = [];
  }
}

/**
 * Joins the pipelines of modes. The last one marks unknown words: they pass the others as they are.
 */
function scriptOf(modes: readonly Mode[]): string {
  return modes
    .map(({ pipeline }, index) =>
      pipeline.replaceAll('$1', index === modes.length - 1 ? '-g' : '-n').replaceAll('$2', ''),
    )
    .join(' | ');
}

function stopped(): JobError {
  return new JobError('internal', 'The translation engine was stopped.');
}

function broken(cause?: unknown): JobError {
  return new JobError('internal', 'Apertium cannot be started.', {
    action: 'Check the installation of Apertium on the machine of the worker.',
    cause,
  });
}
