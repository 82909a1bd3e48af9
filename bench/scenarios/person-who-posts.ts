/** One person who posts now and then, with an app that tries again when a busy server says so. */
import { setTimeout as pause } from 'node:timers/promises';
import { tokenOf } from '../seed/people.ts';

const pauseMilliseconds = 1_000;
/** Of an app, where the server says nothing. */
const retryMilliseconds = 2_000;

/** Until the signal, and to the end of the post under way: how long each took to be stored, in milliseconds. */
export async function waitsOfPersonWhoPosts(
  server: { readonly host: string; readonly port: number },
  account: bigint,
  leave: AbortSignal,
): Promise<readonly number[]> {
  const waits: number[] = [];
  do {
    const begunAt = performance.now();
    while (!(await isStored(server, account)));
    waits.push(performance.now() - begunAt);
    await pause(pauseMilliseconds);
  } while (!leave.aborted);
  return waits;
}

/** A refusal settles when it is time to try again. */
async function isStored({ host, port }: { readonly host: string; readonly port: number }, account: bigint) {
  const answer = await fetch(`http://${host}:${port}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(account)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'In the middle of it.' }),
  });
  await answer.arrayBuffer();
  if (answer.ok) return true;
  if (answer.status !== 503) throw new Error(`a post was answered with ${answer.status}`);
  await pause(Number(answer.headers.get('retry-after') ?? retryMilliseconds / 1_000) * 1_000);
  return false;
}
