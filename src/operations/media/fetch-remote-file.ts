/** Fetches a file of another server to be shown here. Only files that are not kept yet count against the limit. */
import { z } from 'zod';
import { isProxiedKind } from '../../services/media/proxied-media.ts';
import { fetchedFile, type RemoteFileReply } from '../../services/media/remote-media.ts';
import { operation } from '../operation.ts';

/** Never `absent`, and `coming` only after half a minute. */
export const fetchRemoteFile = operation({
  input: z.object({
    kind: z.string().refine(isProxiedKind),
    address: z.string(),
    servers: z.array(z.string()).readonly().optional(),
  }),
  permission: 'look',
  limit: 'remoteMedia',
  run: ({ services: { remoteMedia } }, file): Promise<RemoteFileReply> => fetchedFile(remoteMedia, file),
});
