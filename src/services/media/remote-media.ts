/** Files of other servers that are shown here: kept and fetched by network threads, each for its hosts. */
import type { ProxiedFile } from './proxy-addresses.ts';

export const remoteFileTopic = 'remote file';
export const remoteMediaUsageTopic = 'usage of remote media';
export const removeRemoteMediaTopic = 'remove remote media';

export interface RemoteFileRequest extends ProxiedFile {
  /** Whether it is fetched from the other server where it is not kept. */
  readonly mayFetch: boolean;
}

export type RemoteFileReply =
  | { readonly state: 'kept'; readonly path: string }
  /** It is not kept, and was not asked for. */
  | { readonly state: 'absent' }
  /** It is still being fetched: ask again. */
  | { readonly state: 'coming' }
  /** The other server has no such picture, film or sound, or this one shows nothing of that server. */
  | { readonly state: 'refused' }
  /** The other server, or this one, cannot say now. */
  | { readonly state: 'unreachable' };

export interface HostUsage {
  readonly host: string;
  readonly files: number;
  readonly bytes: number;
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
