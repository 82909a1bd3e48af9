/** What libraries say of an archive that they cannot read. */
import { Failure } from '../../runtime/errors.ts';
import { archiveRefused } from './archive-problems.ts';

const unsafeName = /^(?:invalid relative path|absolute path|invalid characters in fileName)/;

/** Passes on what is read. Errors become a Failure, except those of the disk, which are not the fault of the archive. */
export async function* readSoundly<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* source;
  } catch (error) {
    if (error instanceof Failure || isOfSystem(error)) throw error;
    const isUnsafe = error instanceof Error && unsafeName.test(error.message);
    throw archiveRefused(isUnsafe ? 'archiveUnsafe' : 'archiveBroken', error);
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
}
