/** Files of other servers that are shown here: kept and fetched by network threads, each for its hosts. */
import type { ProxiedFile } from './proxy-addresses.ts';

export const remoteFileTopic = 'remote file';
export const remoteArrivalTopic = 'arrival of a remote file';
export const remoteMediaUsageTopic = 'usage of remote media';
export const removeRemoteMediaTopic = 'remove remote media';

export interface RemoteFileRequest extends ProxiedFile {
  /** Whether it is fetched from the other server where it is not kept. */
  readonly mayFetch: boolean;
}

export type RemoteFileReply =
  | { readonly state: 'kept'; readonly path: string }
  /**
   * It is being downloaded into a file of this path, from which it can be shown: of a film or sound whose server has said how
   * long it is. It will be kept under the name, if all of it comes.
   */
  | { readonly state: 'arriving'; readonly path: string; readonly name: string; readonly byteLength: number }
  /** It is not kept, and was not asked for. */
  | { readonly state: 'absent' }
  /** It is still being fetched: ask again. */
  | { readonly state: 'coming' }
  /** The other server has no such picture, film or sound, or this one shows nothing of that server. */
  | { readonly state: 'refused' }
  /** The other server, or this one, cannot say now. */
  | { readonly state: 'unreachable' };

/** How much of an arriving file is wanted: `path` says which download. */
export interface ArrivalRequest extends ProxiedFile {
  readonly path: string;
  /** An offset: the answer comes when there is something behind it. */
  readonly beyond: number;
}

export interface Arrival {
  /** That can be read now. */
  readonly bytes: number;
  /** No more will come: everything is there, or the download has failed. */
  readonly isOver: boolean;
}

export interface HostUsage {
  readonly host: string;
  readonly files: number;
  readonly bytes: number;
  /** By the day (since 1970) on which they were viewed last. */
  readonly bytesByDay: readonly (readonly [day: number, bytes: number])[];
}

/** What is removed has all that is given. */
export interface RemovedMedia {
  /** Not viewed since this time, in milliseconds since 1970. */
  readonly notViewedSince?: number | undefined;
  readonly host?: string | undefined;
  /** Of files at other servers; failures to fetch them are forgotten too. */
  readonly addresses?: readonly string[] | undefined;
}

export interface RemovedCount {
  readonly files: number;
  readonly bytes: number;
}

export interface RemoteMedia {
  /** Throws temporary Failures. */
  file(request: RemoteFileRequest): Promise<RemoteFileReply>;
  /** Settles after some seconds at the latest: then ask again. Throws temporary Failures. */
  arrival(request: ArrivalRequest): Promise<Arrival>;
  /** By host, the largest first. */
  usage(): Promise<HostUsage[]>;
  remove(removed: RemovedMedia): Promise<RemovedCount>;
}

/** How often a file that is still coming is asked for: players and browsers wait for half a minute. */
const questionsMax = 4;

/** Fetches it where it is not kept. Never `absent`, and `coming` only after half a minute. Throws temporary Failures. */
export async function fetchedFile(media: Pick<RemoteMedia, 'file'>, file: ProxiedFile): Promise<RemoteFileReply> {
  const ask = () => media.file({ ...file, mayFetch: true });
  let reply = await ask();
  for (let question = 1; question < questionsMax && reply.state === 'coming'; question += 1) reply = await ask();
  return reply;
}

/** The host[:port] that has a file, by which network threads divide them; undefined for what is no address. */
export function hostOfFile(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url.host;
}
