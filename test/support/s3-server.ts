/** An S3-compatible service on loopback, with an empty bucket. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Options } from '../../src/outbound/s3/s3-store.ts';

export interface S3Server {
  readonly options: S3Options;
  stop(): Promise<void>;
}

export async function startS3Server(bucket = 'media'): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'murmuration-s3-'));
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    options: {
      ...{ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket, pathStyle: true },
      ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}
