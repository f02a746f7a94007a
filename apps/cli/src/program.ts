/** A program that the launcher keeps running. */
export type Program = {
  /** Also its key in run.json: `mongod`, `api`, `worker-git`. */
  name: string;
  command: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Whether it has a channel to the launcher; it exits when the channel closes. */
  hasChannel: boolean;
  /**
   * Recognizes the output line by which a store reports that it is ready; without this, the program reports
   * it through its channel.
   */
  isReadyLine?: (line: string) => boolean;
  /** Selects the lines to show after a failure; by default all. */
  isTelling?: (line: string) => boolean;
  /** The time limit for becoming ready. */
  readyMs: number;
  /** The time limit for stopping before it is killed. */
  stopMs: number;
  /** SIGKILL for a store whose data is discarded anyway. */
  stopSignal: 'SIGTERM' | 'SIGKILL';
  /**
   * A store is given up when it cannot start or stay up, because nothing works without it. Other programs are
   * restarted without limit.
   */
  isStore: boolean;
};
