/** The keyspace of media. */
import { present, record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { Media } from './media.records.ts';

export const media = keyspace<[bigint, bigint], Media>({
  number: 160,
  name: 'media',
  owner,
  key: [id('account'), id('media')],
  value: record(Media),
  bound: { by: 'owner', reason: 'as long as what it is attached to, otherwise a day' },
});

/** What is attached to a status or a scheduled one. */
export const mediaOfUse = keyspace<[bigint, bigint, bigint], true>({
  number: 161,
  name: 'media of statuses',
  owner,
  derived: true,
  key: [id('account'), id('status'), id('media')],
  value: present,
  bound: { by: 'owner', reason: 'one for each attached medium' },
});

interface OfMedia {
  readonly mediaId: bigint;
}

const isMeant = ([, mediaId]: [bigint, bigint], body: OfMedia) => body.mediaId === mediaId;

export const mediaRules = [
  awaits(media, [Account.mediaDecoded], { isAwaiting: (_key, { upload }) => upload !== undefined, isMeant }),
  awaits(media, [Account.mediaUnused], {
    isAwaiting: (_key, { freeSince }) => freeSince !== undefined,
    isMeant,
  }),
  rule(media, ([accountId, mediaId], { statusId, scheduledId }, reader) => {
    const use = statusId ?? scheduledId;
    const isListed = use === undefined || reader.get(mediaOfUse, [accountId, use, mediaId]) !== undefined;
    return isListed ? undefined : 'is not listed with its status';
  }),
  rule(mediaOfUse, ([accountId, use, mediaId], _present, reader) => {
    const { statusId, scheduledId } = reader.get(media, [accountId, mediaId]) ?? {};
    return (statusId ?? scheduledId) === use ? undefined : 'is attached to something else';
  }),
  rule(media, (_key, { statusId }, reader) =>
    statusId === undefined || reader.get(statuses, [statusId]) !== undefined
      ? undefined
      : 'is of a status that is gone',
  ),
];
