/** Nothing leaves a partition before its commit is on disk. */
import { isDeepStrictEqual } from 'node:util';
import { cursors, effects, events, meta, outbox } from '../../../src/runtime/storage/machine.ts';
import type { Checker } from '../workload.ts';

export function gate(): Checker {
  return {
    name: 'gate',
    frame(frame, disk) {
      const stored = disk.get(outbox, [frame.destination, frame.sequence]);
      if (stored === undefined) return `frame ${frame.sequence} is not in the outbox`;
      return Buffer.compare(stored, frame.bytes) === 0 ? undefined : `frame ${frame.sequence} differs from the outbox`;
    },
    acknowledgement({ source, sequence }, disk) {
      const cursor = disk.get(cursors, [source])?.sequence ?? 0;
      return cursor >= sequence ? undefined : `frame ${sequence} of ${source} is acknowledged, the cursor is ${cursor}`;
    },
    effect(sequence, effect, request, disk) {
      const stored = disk.get(effects, [sequence]);
      if (stored === undefined) return `effect ${sequence} is not on disk`;
      const same = stored.effect === effect && isDeepStrictEqual(stored.request, request);
      return same ? undefined : `effect ${sequence} differs from what is on disk`;
    },
    published({ commit, events: told }, disk) {
      const stored = disk.get(events, [commit]);
      // A commit that is on disk too may have removed them, where the wall clock was set ahead in between.
      if (commit <= disk.get(meta, [0])!.eventsTrimmedCommit) return undefined;
      if (stored === undefined) return `the events of commit ${commit} are not on disk`;
      return isDeepStrictEqual(stored.events, told) ? undefined : `the events of commit ${commit} differ from the disk`;
    },
  };
}
