/** Mails about the end of an account that its owner deletes, and about what it takes along. */
import { archiveOf } from '../../../actors/account/leaving/leaving.queries.ts';
import { leavingLimits } from '../../../actors/account/leaving/limits.ts';
import type { Tellers } from './telling.ts';

export const leavingContents: Tellers<
  'deletionBegun' | 'deletionTakenBack' | 'deleted' | 'archiveReady' | 'archiveFailed'
> = {
  deletionBegun: ({ words, handle, addresses }, { deletesAt }) => {
    const { subject, told, takeBack, notYou } = words.leaving.mails.begun;
    return {
      subject,
      paragraphs: [told({ account: handle, time: words.formats.exactTime(deletesAt) }), notYou],
      action: { label: takeBack, address: `${addresses.origin}/settings/delete` },
    };
  },
  deletionTakenBack: ({ words, handle, addresses }) => {
    const { subject, told } = words.leaving.mails.takenBack;
    const { password, setPassword } = words.mails.notYou;
    return {
      subject,
      paragraphs: [told({ account: handle }), password],
      action: { label: setPassword, address: `${addresses.origin}/auth/password/new` },
    };
  },
  archiveReady: ({ words, handle, addresses, snapshots, account }, { archiveId }) => {
    const archive = archiveOf(snapshots, account.id);
    if (archive?.id !== archiveId || archive.readyAt === undefined) return undefined;
    const { subject, told, action } = words.leaving.mails.archiveReady;
    const until = words.formats.exactTime(archive.readyAt + leavingLimits.archiveKeptMilliseconds);
    return {
      subject,
      paragraphs: [told({ account: handle, time: until })],
      action: { label: action, address: `${addresses.origin}/settings/export` },
    };
  },
  archiveFailed: ({ words, handle, addresses }) => {
    const { subject, told, action } = words.leaving.mails.archiveFailed;
    return {
      subject,
      paragraphs: [told({ account: handle })],
      action: { label: action, address: `${addresses.origin}/settings/export` },
    };
  },
  deleted: ({ words, handle, addresses }) => {
    const { subject, told, elsewhere } = words.leaving.mails.deleted;
    return { subject, paragraphs: [told({ account: handle, server: addresses.domain }), elsewhere] };
  },
};
