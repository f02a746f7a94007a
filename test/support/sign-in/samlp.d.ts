// The part of the package `samlp`, which has no types, that tests use.
declare module 'samlp' {
  import type { RequestHandler } from 'express';

  type Options = {
    cert: string;
    key: string;
    issuer: string;
    getPostURL: (
      audience: string,
      request: { documentElement: { getAttribute(name: string): string } },
      http: unknown,
      callback: (error: null, url: string) => void,
    ) => void;
    getUserFromRequest: () => object;
    responseHandler: (response: Buffer, options: { postUrl: string }) => void;
    [setting: string]: unknown;
  };

  export function auth(options: Options): RequestHandler;
}
