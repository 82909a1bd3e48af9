/** One person who posts now and then, with an app that tries again when a busy server says so. */
import { setTimeout as pause } from 'node:timers/promises';
import { tokenOf } from '../seed/people.ts';

const pauseMilliseconds = 1_000;
/** Of an app, where the server says nothing. */
const retryMilliseconds = 2_000;

export interface PersonWhoPosts {
  /** Ends after the post under way: how long each took to be stored, in milliseconds. */
  leave(): Promise<readonly number[]>;
}

export function personWhoPosts(
  server: { readonly host: string; readonly port: number },
  account: bigint,
): PersonWhoPosts {
  const waits: number[] = [];
  let isLeaving = false;
  const post = async () => {
    const begunAt = performance.now();
    for (;;) {
      const answer = await fetch(`http://${server.host}:${server.port}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenOf(account)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'In the middle of it.' }),
      });
      await answer.arrayBuffer();
      if (answer.ok) return performance.now() - begunAt;
      if (answer.status !== 503) throw new Error(`a post was answered with ${answer.status}`);
      await pause(Number(answer.headers.get('retry-after') ?? retryMilliseconds / 1_000) * 1_000);
    }
  };
  const live = async () => {
    do {
      waits.push(await post());
      await pause(pauseMilliseconds);
    } while (!isLeaving);
  };
  const life = live();
  // It is awaited when the person leaves.
  life.catch(() => undefined);
  return {
    leave: async () => {
      isLeaving = true;
      await life;
      return waits;
    },
  };
}
