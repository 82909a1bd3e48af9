/** The bookmarks of an archive: addresses of posts. */
import { importLimits } from '../../../actors/account/imports/limits.ts';
import { referenceOf } from '../../../federation/documents/values.ts';
import { parseJsonObject } from '../../../outbound/fetcher/json.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { itemsOfCollection } from '../../../services/archives/collection-items.ts';
import { archiveReadingLimits } from './limits.ts';
import type { UnpackedArchive } from './unpacked-archive.ts';

const { rowsMax, fileBytesMax, valueCharactersMax } = importLimits;

/** As many as a file of rows may have. Undefined where there are none, or where they cannot be read: posts come all the same. */
export async function archivedBookmarks(archive: UnpackedArchive): Promise<string[] | undefined> {
  const source = await archive.readBookmarks();
  if (source === undefined) return undefined;
  const found = new Set<string>();
  let bytes = 0;
  try {
    for await (const { text } of itemsOfCollection(source, valueCharactersMax * 4)) {
      const address = text && addressIn(text);
      if (address === undefined) continue;
      bytes += address.length;
      if (found.size === rowsMax || bytes > fileBytesMax) break;
      found.add(address);
    }
  } catch (error) {
    if (asFailure(error).code !== 'validation') throw error;
  }
  return found.size === 0 ? undefined : [...found];
}

/** An item is an address, or an object that has it. */
function addressIn(item: Buffer): string | undefined {
  const wrapped = Buffer.concat([Buffer.from('{"item":'), item, Buffer.from('}')]);
  return referenceOf(parseJsonObject(wrapped, archiveReadingLimits.activityDepthMax)?.item);
}
