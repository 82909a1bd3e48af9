/** What turns do about the media of a status: those of local ones are attached to it until it goes. */
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { isLocal, type Status } from '../statuses/statuses.records.ts';
import { attachMedia, describeMedia, freeMediaOf } from './attach-media.ts';

const idsOf = ({ attachments }: Status) => attachments.map(({ id }) => id);

export const attachmentsHooks: StatusHooks = {
  stored(turn, status) {
    if (!isLocal(status) || status.attachments.length === 0) return;
    attachMedia(turn, idsOf(status), { statusId: status.id });
  },
  changed(turn, _before, after) {
    if (!isLocal(after) || after.attachments.length === 0) return;
    attachMedia(turn, idsOf(after), { statusId: after.id });
    for (const attachment of after.attachments) describeMedia(turn, attachment);
  },
  deleted(turn, { id: statusId }, { removesMedia }) {
    if (removesMedia === true) freeMediaOf(turn, { statusId }, true);
  },
  removed(turn, status) {
    if (isLocal(status)) freeMediaOf(turn, { statusId: status.id });
  },
};
