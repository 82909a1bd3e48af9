/** Reads what the checks need from the data folder, beside a server or without one, and closes it again. */
import { accountIdsListed } from '../../actors/account/account-lists.queries.ts';
import type { KeyPair } from '../../actors/account/profile/profile.records.ts';
import { findKeyPair } from '../../actors/account/remote/federation.queries.ts';
import { knownHostsPage } from '../../actors/directory/directory.queries.ts';
import { instanceSecrets } from '../../actors/instance/instance.queries.ts';
import { findRetention } from '../../actors/instance/retention/retention.queries.ts';
import type { Options } from '../../options/table.ts';
import type { Id } from '../../runtime/ids.ts';
import type { ServerReader } from '../../runtime/storage/reader.ts';
import { openBeside } from '../backup/moment.ts';
import { findDataFolder } from '../folder/data-folder.ts';
import type { Stored } from './examined.ts';
import { reasonOf } from './findings.ts';

const keyPairsMax = 1_000;
/** Of each partition. */
const hostsMax = 8;

interface ReadFolder {
  readonly isRunning: boolean;
  readonly stored: Stored | string | undefined;
}

/** Never rejects. A folder that does not exist yet is no problem. */
export async function readStored({ dataDirectory }: Options): Promise<ReadFolder> {
  let folder: ReturnType<typeof findDataFolder>;
  try {
    folder = findDataFolder(dataDirectory);
  } catch (error) {
    const isMissing = !(error instanceof Error && error.cause !== undefined);
    return { isRunning: false, stored: isMissing ? undefined : reasonOf(error) };
  }
  let isRunning = false;
  try {
    return await openBeside(folder, async (opened, hasServer) => {
      isRunning = hasServer;
      const { manifest } = await opened.hold();
      const { partitions } = opened.reader;
      return {
        isRunning,
        stored: {
          origin: manifest.origin,
          domain: manifest.domain,
          partitions: partitions.length,
          secrets: instanceSecrets(opened.reader),
          keyPairs: storedPairs(opened.reader),
          retention: findRetention(opened.reader),
          hosts: partitions.flatMap((partition) => knownHostsPage(partition, undefined, hostsMax).hosts),
        },
      };
    });
  } catch (error) {
    return { isRunning, stored: reasonOf(error) };
  }
}

function storedPairs(reader: ServerReader): (readonly [Id, KeyPair])[] {
  const pairs: (readonly [Id, KeyPair])[] = [];
  for (const accountId of accountIdsListed(reader, 'local')) {
    const pair = findKeyPair(reader, accountId);
    if (pair !== undefined) pairs.push([accountId, pair]);
    if (pairs.length === keyPairsMax) break;
  }
  return pairs;
}
