/**
 * The file that represents an attachment, of the several addresses that servers give for one: PeerTube a page, playlists and
 * films of several sizes, Pixelfed a link beside the address.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import { activityLimits } from '../limits.ts';
import { addressOf, objectsOf, typeOf, valuesOf } from './values.ts';

export interface MediaLink {
  readonly url: string;
  readonly mediaType?: JsonValue | undefined;
  readonly width?: JsonValue | undefined;
  readonly height?: JsonValue | undefined;
}

interface Candidate extends MediaLink {
  /** Bytes. */
  readonly size?: JsonValue | undefined;
}

/** Higher ones are larger than the screens of most readers, and than what is shown of other servers. */
const heightWanted = 1_080;

/** The first of the best; undefined where there is none. */
export function mediaLinkOf(value: JsonValue | undefined): MediaLink | undefined {
  const candidates = valuesOf(value, activityLimits.objectsMax).flatMap(candidatesIn);
  let best: Candidate | undefined;
  for (const one of candidates) if (best === undefined || rank(one) > rank(best)) best = one;
  return best;
}

function candidatesIn(value: JsonValue): Candidate[] {
  const url = addressOf(isJsonObject(value) ? value.href : value);
  if (!isJsonObject(value)) return url === undefined ? [] : [{ url }];
  if ((typeOf(value) ?? 'Link') !== 'Link') return [];
  // The films of a playlist (PeerTube).
  const inPlaylist = objectsOf(value.tag, activityLimits.objectsMax).filter(isFilm).flatMap(candidatesIn);
  const { mediaType, width, height, size } = value;
  return url === undefined ? inPlaylist : [{ url, mediaType, width, height, size }, ...inPlaylist];
}

function isFilm({ mediaType }: JsonObject): boolean {
  return typeof mediaType === 'string' && /^(?:video|audio)\//i.test(mediaType);
}

/** Pages and playlists last; then what is too large to be shown; of several films the sharpest up to the wanted height. */
function rank({ mediaType, height, size }: Candidate): number {
  if (typeof mediaType !== 'string') return 1;
  if (!/^(?:image|video|audio)\/(?!(?:x-)?mpegurl)/i.test(mediaType)) return 0;
  if (typeof size === 'number' && size > mediaLimits.filmBytesMax) return 2;
  if (typeof height !== 'number' || height <= 0) return 3;
  return height <= heightWanted ? 4 + height : 3 + 1 / height;
}
