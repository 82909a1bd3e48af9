/** An S3-compatible service on loopback that verifies signatures, with an empty bucket. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Options } from '../../src/outbound/s3/s3-bucket.ts';
import { wrongSignature } from './s3-signatures.ts';

export interface S3Server {
  readonly options: S3Options;
  /** Added to the time by which signed addresses expire. */
  aheadMilliseconds: number;
  /** Looks at each request before it is served; it waits for the promise. */
  before: ((request: IncomingMessage) => Promise<void> | void) | undefined;
  stop(): Promise<void>;
}

export async function startS3Server(bucket = 'media'): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'murmuration-s3-'));
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const started: S3Server = {
    options: { ...keys, endpoint: '', region: 'us-east-1', bucket, pathStyle: true },
    aheadMilliseconds: 0,
    before: undefined,
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
  server.middleware.unshift(async (context, next) => {
    await started.before?.(context.req);
    // s3rver stores the half of a body whose sender is gone.
    if (context.req.socket.destroyed) return;
    const wrong = wrongSignature(context.req, keys, Date.now() + started.aheadMilliseconds);
    if (wrong === undefined) await next();
    else Object.assign(context, { status: 403, body: `<Error><Code>${wrong}</Code></Error>` });
  });
  const { port } = await server.run();
  return Object.assign(started, { options: { ...started.options, endpoint: `http://127.0.0.1:${port}` } });
}
