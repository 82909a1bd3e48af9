/** Has pictures stored by a network thread. */
import type { StoredPicture } from '../../actors/blob/blob.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { AskNetwork } from '../resolver.ts';
import { type Pictures, type ReceivedPicture, storePictureTopic } from './pictures.ts';

/** One thread does it, so that only as many pictures are decoded at a time as its pool allows. */
const storingThread = 0;
/** Of a request between threads, each of which has a deadline. */
const attempts = 4;

export function networkPictures(ask: AskNetwork): Pictures {
  return {
    async store(received) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await ask<StoredPicture>(storingThread, storePictureTopic, received);
        } catch (error) {
          if (!(error instanceof Failure && error.code === 'outcomeUnknown') || attempt >= attempts) throw error;
        }
      }
    },
  };
}

/** Who asks again for a picture that is being stored waits for the same result. `path` names it. */
export function storingOnce(
  store: (received: ReceivedPicture) => Promise<StoredPicture>,
): (received: ReceivedPicture) => Promise<StoredPicture> {
  const running = new Map<string, Promise<StoredPicture>>();
  return (received) => {
    const { path } = received;
    const present = running.get(path);
    if (present !== undefined) return present;
    const storing = store(received).finally(() => running.delete(path));
    running.set(path, storing);
    return storing;
  };
}
