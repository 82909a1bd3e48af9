/** Asks network threads for files of other servers. */
import { slotOfKey } from '../../runtime/ids.ts';
import type { Placement } from '../../runtime/ports.ts';
import type { AskNetwork } from '../resolver.ts';
import {
  type Arrival,
  type HostUsage,
  hostOfFile,
  type RemoteFileReply,
  type RemoteMedia,
  type RemovedCount,
  remoteArrivalTopic,
  remoteFileTopic,
  remoteMediaUsageTopic,
  removeRemoteMediaTopic,
} from './remote-media.ts';

export function networkMedia(
  ask: AskNetwork,
  placement: Pick<Placement, 'networkOf'>,
  networkThreads: number,
): RemoteMedia {
  const askAll = <Reply>(topic: string, request: unknown): Promise<Reply[]> =>
    Promise.all(Array.from({ length: networkThreads }, (_, index) => ask<Reply>(index, topic, request)));
  return {
    async file(request) {
      const host = hostOfFile(request.address);
      if (host === undefined) return { state: 'refused' };
      return ask<RemoteFileReply>(placement.networkOf(slotOfKey(host)), remoteFileTopic, request);
    },
    async arrival(request) {
      const host = hostOfFile(request.address);
      if (host === undefined) return { bytes: 0, isOver: true };
      return ask<Arrival>(placement.networkOf(slotOfKey(host)), remoteArrivalTopic, request);
    },
    async usage() {
      const hosts = (await askAll<HostUsage[]>(remoteMediaUsageTopic, {})).flat();
      return hosts.sort((one, other) => other.bytes - one.bytes);
    },
    async remove(removed) {
      const counts = await askAll<RemovedCount>(removeRemoteMediaTopic, removed);
      const sum = (of: (count: RemovedCount) => number) => counts.reduce((total, count) => total + of(count), 0);
      return { files: sum(({ files }) => files), bytes: sum(({ bytes }) => bytes) };
    },
  };
}
