/** A page that exceeds a limit for rendering. The message is for its authors. */
export class PageTooLargeError extends Error {
  readonly page: { id: string; title: string };

  /** @param problem  such as `has more than 50000 elements` */
  constructor(page: { id: string; title: string }, problem: string, cause?: Error) {
    super(`The page "${page.title}" ${problem}. Split it into several pages.`, { cause });
    this.name = 'PageTooLargeError';
    this.page = { id: page.id, title: page.title };
  }
}
