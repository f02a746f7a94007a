import type { Page } from '../layout/page.ts';
import type { Answer } from './answer.ts';

/** Leads to another page of the console, or back to itself after a write. */
export type Redirect = { location: string; headers?: Record<string, string> };

/** The result of a route; an answer is sent as it is. */
export type Outcome = Page | Redirect | Answer;
