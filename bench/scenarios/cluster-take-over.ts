/** For how long nobody can post while another node takes over. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { endWithParent } from '../processes/child.ts';
import type { Cluster } from '../processes/cluster.ts';
import { projectFolder, type Server } from '../processes/server.ts';
import type { BenchContext, Figure } from '../scenario.ts';
import { tokenOf } from '../seed/people.ts';
import { type ServingNode, startStandby } from './cluster-node.ts';

const pauseMilliseconds = 20;
const answerMilliseconds = 2_000;
/** Posts before somebody acts, and after another node has taken over. */
const postsAround = 20;
const handoversMax = 20;
const endMilliseconds = 120_000;

export async function takeOverFigures({ samples }: BenchContext, node: ServingNode, copy: string): Promise<Figure[]> {
  const { server, data, cluster } = node;
  const token = tokenOf(data.facts.authors[0]!);
  const second = await startStandby(node, server.origin, copy);
  const servers = [server, second];
  try {
    const killed = await longestStall(servers, token, () => server.kill());
    const again = await startStandby({ ...node, server: second }, server.origin, data.dataDirectory);
    servers.push(again);
    const handed = await longestStall([second, again], token, () => handOver(copy, cluster));
    samples.write({ scenario: 'cluster', kind: 'take-over', killed, handed });
    const beside = 'no post acknowledged, by either node, from the last one before to the first one after';
    return [
      {
        what: 'the node that serves is killed, another stands by',
        measured: killed,
        unit: 's',
        target: { atMost: 12 },
        beside,
      },
      { what: 'murmuration cluster handover', measured: handed, unit: 's', target: { atMost: 1 }, beside },
    ];
  } finally {
    for (const one of servers) await one.stop();
  }
}

/** The longest time without an acknowledged post, in seconds. */
async function longestStall(servers: readonly Server[], token: string, act: () => Promise<void>): Promise<number> {
  let [longest, last, index] = [0, performance.now(), 0];
  let acting: Promise<void> | undefined;
  let [posted, after] = [0, 0];
  const deadline = last + endMilliseconds;
  while (after < postsAround) {
    if (performance.now() > deadline) throw new Error('no node serves any more');
    const isPosted = await post(servers[index % servers.length]!, token);
    if (isPosted) {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      posted += 1;
      if (index > 0) after += 1;
    } else index += 1;
    if (posted === postsAround) acting ??= act();
    await setTimeout(pauseMilliseconds);
  }
  await acting;
  return longest / 1_000;
}

async function post({ host, port }: Server, token: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://${host}:${port}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'Who serves?' }),
      signal: AbortSignal.timeout(answerMilliseconds),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch (error) {
    // A node that is gone, or does not answer.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Refused until the other node has told that it is up to date. */
async function handOver(dataDirectory: string, { environment }: Cluster): Promise<void> {
  for (let left = handoversMax; ; left -= 1) {
    const child = spawn(process.execPath, [join(projectFolder, 'src/start.mjs'), 'cluster', 'handover'], {
      env: { ...process.env, ...environment, MURMURATION_DATA_DIR: dataDirectory },
      stdio: ['ignore', 'ignore', left === 1 ? 'inherit' : 'ignore'],
    });
    void endWithParent(child);
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code === 0) return;
    if (left === 1) throw new Error(`the handover ended with code ${code}`);
  }
}
