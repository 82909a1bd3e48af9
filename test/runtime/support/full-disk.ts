/**
 * A child process of the durability test, started with a limit on the size of its files. Appends small batches, then one
 * that does not fit, then a small one again, and reports what became of each. Argument: folder.
 */
import { LmdbLog } from '../../../src/runtime/storage/lmdb-log.ts';

const log = new LmdbLog({ path: process.argv[2]!, mapBytes: 1 << 30 });

function append(name: string, bytes: number): Promise<string> {
  return new Promise((resolve) =>
    log.append({ keys: [Buffer.from(name)], values: [Buffer.alloc(bytes, name)] }, (error) => {
      log.reader.refresh();
      const seen = log.reader.get(Buffer.from(name)) !== undefined;
      const outcome = error === undefined ? 'completed' : `refused as ${error.reason} (${String(error.cause)})`;
      resolve(`${outcome}, ${seen ? 'seen' : 'not seen'}`);
    }),
  );
}

const outcomes = [await append('small', 100), await append('large', 8 * 1024 * 1024), await append('again', 100)];
// An unhandled rejection would end the process before the next tick.
await new Promise((resolve) => setImmediate(resolve));
console.log(JSON.stringify(outcomes));
process.exit(0);
