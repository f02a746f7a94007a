/** How to reach the bucket. Without keys, the AWS SDK looks for them where AWS programs do. */
export type S3Settings = {
  bucket: string;
  region: string;
  /** URL of a server other than AWS. */
  endpoint?: string | undefined;
  /** Begins the name of each object; empty, or ends in `/`. */
  prefix: string;
  /** The bucket is in the path of the URL, not in its host. */
  isPathStyle: boolean;
  keys?: { id: string; secret: string } | undefined;
  /** URL under which readers reach the server; without it, none are sent there. */
  publicEndpoint?: string | undefined;
};
