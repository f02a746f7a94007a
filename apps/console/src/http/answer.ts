/** A complete response to a browser. */
export type Answer = {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
};
