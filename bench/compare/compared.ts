/** What two versions are compared by: requests that are repeated, activities that arrive, and those that are sent. */
import { httpRequest } from '../generators/http-load.ts';
import { exactCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import type { Size } from '../sizes.ts';
import type { FreshState } from './fresh-state.ts';
import type { Version } from './version.ts';

export interface Compared {
  readonly what: string;
  readonly atMost: number;
  /** Of what the cost is, such as "a request". */
  readonly each: string;
  /** Settles with what measures a window: CPU microseconds of each. */
  prepare(version: Version, size: Size): Promise<() => Promise<number>>;
}

const text = 'A post of the bench that is as long as many are, with a tag at its end, and nothing else in it. #bench';

type Requests = (version: Version) => string[];

function repeated(what: string, atMost: number, requests: Requests): Compared {
  return {
    what,
    atMost,
    each: 'a request',
    async prepare(version, { walkConnections: connections, windowMilliseconds }) {
      const { server, load } = version;
      await load.prepare({ ...server, connections, requests: requests(version) });
      return async () => {
        const before = exactCpuMicrosecondsOf(server.processId);
        const { operations, failures } = await load.waves(server.processId, windowMilliseconds);
        if (failures > 0) throw new Error(`${failures} requests failed`);
        return (exactCpuMicrosecondsOf(server.processId) - before) / operations;
      };
    },
  };
}

const get = (path: (state: FreshState) => string): Requests => {
  return ({ server, state }) => [httpRequest('GET', server.host, path(state), { token: state.token })];
};

function acts({ server, state }: Version, act: string): string[] {
  const { token, statusIds } = state;
  return statusIds.map((id) => httpRequest('POST', server.host, `/api/v1/statuses/${id}/${act}`, { token }));
}

const post: Requests = ({ server, state: { token } }) => [
  httpRequest('POST', server.host, '/api/v1/statuses', { token, json: { status: text } }),
];

let lastNumber = 0;

/** Each is new: it is signed before its window, by somebody whom the version has learned of by the first of them. */
const inboundCreate: Compared = {
  what: 'inbound Create that mentions somebody',
  atMost: 1.15,
  each: 'a Create',
  async prepare({ server, load, fleet: [sender], username }, { connections, comparedCreates }) {
    const { host, port, origin, processId } = server;
    const [uri, url] = [`${origin}/users/${username}`, `${origin}/@${username}`];
    const send = async (count: number) => {
      const requests = Array.from({ length: count }, () => {
        lastNumber += 1;
        return sender!.signed(`${host}:${port}`, lastNumber, [{ username, uri, url }]);
      });
      await load.prepare({ host, port, connections, requests });
      const before = exactCpuMicrosecondsOf(processId);
      const { failures } = await load.once();
      if (failures > 0) throw new Error(`${failures} activities were refused`);
      return (exactCpuMicrosecondsOf(processId) - before) / count;
    };
    await send(1);
    return () => send(comparedCreates);
  },
};

/** Progress of the lanes is written up to this long after the last answer; it belongs to the deliveries. */
const progressMilliseconds = 300;
const arrivalDeadlineMilliseconds = 30_000;

const outgoingDelivery: Compared = {
  what: 'delivery of a post to a server with a follower',
  atMost: 1.15,
  each: 'a delivery',
  async prepare(version, size) {
    const { server, load, fleet, username } = version;
    const { host, port, origin } = server;
    const arrived = () => fleet.reduce((sum, sender) => sum + sender.arrived, 0);
    /** Settles when so many have arrived since `before`. */
    const reach = async (before: number, count: number) => {
      const deadline = performance.now() + arrivalDeadlineMilliseconds;
      while (arrived() < before + count) {
        if (performance.now() > deadline) throw new Error(`${arrived() - before} of ${count} deliveries have arrived`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await new Promise((resolve) => setTimeout(resolve, progressMilliseconds));
    };
    const deliver = async (requests: string[], count: number) => {
      const [before, cpuBefore] = [arrived(), exactCpuMicrosecondsOf(server.processId)];
      await load.prepare({ host, port, connections: size.walkConnections, requests });
      const { failures } = await load.once();
      if (failures > 0) throw new Error(`${failures} requests failed`);
      await reach(before, count);
      return (exactCpuMicrosecondsOf(server.processId) - cpuBefore) / count;
    };
    const follows = fleet.map((sender) => sender.signedFollow(`${host}:${port}`, `${origin}/users/${username}`));
    // Each is accepted.
    await deliver(follows, fleet.length);
    const posts = Array.from({ length: size.postsPerWindow }, () => post(version)[0]!);
    return () => deliver(posts, posts.length * fleet.length);
  },
};

export const compared: readonly Compared[] = [
  repeated(
    'GET of home, 20 statuses',
    1.15,
    get(() => '/api/v1/timelines/home?limit=20'),
  ),
  repeated(
    'GET of one status',
    1.15,
    get(({ statusIds }) => `/api/v1/statuses/${statusIds.at(-1)}`),
  ),
  repeated(
    'GET of the thread of one status',
    1.15,
    get(({ statusIds }) => `/api/v1/statuses/${statusIds.at(-1)}/context`),
  ),
  repeated(
    'GET of the instance',
    1.15,
    get(() => '/api/v2/instance'),
  ),
  repeated('POST', 1.15, post),
  repeated('favourite and its undoing', 1.25, (version) => [
    ...acts(version, 'favourite'),
    ...acts(version, 'unfavourite'),
  ]),
  inboundCreate,
  outgoingDelivery,
];
