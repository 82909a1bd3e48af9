/** Mails about the end of an account that its owner deletes. */
import type { Tellers } from './telling.ts';

export const leavingContents: Tellers<'deletionBegun' | 'deletionTakenBack' | 'deleted'> = {
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
  deleted: ({ words, handle, addresses }) => {
    const { subject, told, elsewhere } = words.leaving.mails.deleted;
    return { subject, paragraphs: [told({ account: handle, server: addresses.domain }), elsewhere] };
  },
};
