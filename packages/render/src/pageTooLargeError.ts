/** A page that exceeds a limit for rendering; names the page, and is no fault of the platform. */
export class PageTooLargeError extends Error {
  readonly page: { id: string; title: string };

  /** @param problem  such as `has more than 50,000 elements` */
  constructor(page: { id: string; title: string }, problem: string) {
    super(`The page "${page.title}" ${problem}. Split it into several pages.`);
    this.name = 'PageTooLargeError';
    this.page = { id: page.id, title: page.title };
  }
}
