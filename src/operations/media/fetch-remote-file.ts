/** Fetches a file of another server to be shown here. Only files that are not kept yet count against the limit. */
import { z } from 'zod';
import { isProxiedKind } from '../../services/media/proxied-media.ts';
import type { RemoteFileReply } from '../../services/media/remote-media.ts';
import { operation } from '../operation.ts';

/** How often a file that is still coming is asked for: players and browsers wait for half a minute. */
const questionsMax = 4;

/** Never `absent`, and `coming` only after half a minute. */
export const fetchRemoteFile = operation({
  input: z.object({ kind: z.string().refine(isProxiedKind), address: z.string() }),
  permission: 'look',
  limit: 'remoteMedia',
  async run({ services: { remoteMedia } }, file): Promise<RemoteFileReply> {
    const ask = () => remoteMedia.file({ ...file, mayFetch: true });
    let reply = await ask();
    for (let question = 1; question < questionsMax && reply.state === 'coming'; question += 1) reply = await ask();
    return reply;
  },
});
