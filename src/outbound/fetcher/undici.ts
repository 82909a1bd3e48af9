/**
 * The parts of undici that connections need: loading its index takes twice the CPU (80 ms per network thread,
 * measured), while the first request waits for the processor.
 */
import { createRequire } from 'node:module';
import type { Agent as AgentType, buildConnector as connectorType, Pool as PoolType } from 'undici';

const packages = createRequire(import.meta.url);

export const Agent: typeof AgentType = packages('undici/lib/dispatcher/agent.js');
export const buildConnector: typeof connectorType = packages('undici/lib/core/connect.js');
const Pool: typeof PoolType = packages('undici/lib/dispatcher/pool.js');

interface Queue {
  readonly head?: { list?: unknown };
}

/**
 * A pool of connections to one origin. undici allots each the places for 2 048 waiting requests, 16 KB, of which lanes use
 * none as a rule: an empty list grows in their place when something waits.
 */
export const leanPool = (origin: string | URL, options: object): PoolType => {
  const pool = new Pool(origin, options);
  const queue = Object.getOwnPropertySymbols(pool).find(({ description }) => description === 'queue');
  const { head } = queue === undefined ? {} : (pool as unknown as Record<symbol, Queue>)[queue]!;
  if (Array.isArray(head?.list) && head.list.every((place) => place === undefined)) head.list = [];
  return pool;
};
