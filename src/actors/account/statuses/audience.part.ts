/** Who may see a remote status besides the accounts that it mentions. Local ones have no such audience. */
import { z } from 'zod';
import { statusPart } from '../../status-part.ts';
import { identifier } from '../account.records.ts';
import { statusLimits } from './limits.ts';

const { addressedMax } = statusLimits;

const fields = {
  /**
   * Local accounts that may see a remote one although it does not mention them. They are shown to nobody: some were
   * addressed by `bcc`. Absent for none.
   */
  addressed: z.array(identifier).optional(),
  /** A direct one for a chosen audience, which is no private mention (decision 47); absent for all others. */
  limited: z.boolean().optional(),
};

export const audiencePart = statusPart({
  stored: fields,
  written: {},
  edit: {},
  received: fields,
  version: {},
  ofReceived: ({ addressed, limited }) => ({ addressed: addressed?.slice(0, addressedMax), limited }),
  /** Who was given a version may see the later ones. */
  ofReceivedEdit({ addressed: before = [], limited }, { addressed = [], mentions }) {
    const all = new Set([...before, ...addressed]);
    for (const { id } of mentions) all.delete(id);
    return { addressed: all.size === 0 ? undefined : [...all].slice(0, addressedMax), limited };
  },
  facts: ({ addressed }) => ({ addressed }),
});
