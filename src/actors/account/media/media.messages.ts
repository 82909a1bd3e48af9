/** Media that local accounts upload (specification 4.4). Message numbers 200 to 205. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { Attachment, DecodedAttachment, Media, Upload } from './media.records.ts';

const Which = { mediaId: identifier };

/** What its author says of it. */
const Described = Attachment.pick({ description: true, focusX: true, focusY: true });

export const mediaMessages = {
  /** The files are on disk. The reply comes before they are decoded. */
  uploadMedia: call(200, Described.extend({ upload: Upload }), z.object(Which)),
  /** The answer of the effect: what was decoded and stored, or why not. */
  mediaDecoded: cast(
    201,
    z.object({
      ...Which,
      upload: Upload,
      decoded: Media.pick({ blobs: true }).extend({ attachment: DecodedAttachment }).optional(),
      failure: z.string().optional(),
    }),
  ),
  /**
   * Only while it is attached to nothing, or to `statusId`: then the status itself stays as it is. Absent fields stay as they
   * are; `thumbnail` is a name as in Upload.
   */
  changeMedia: call(
    202,
    Described.extend({ ...Which, thumbnail: z.string().optional(), statusId: identifier.optional() }),
    Done,
  ),
  removeMedia: call(203, z.object(Which), Done),
  /** The timer: removes what is attached to nothing by then. */
  mediaUnused: cast(204, z.object(Which)),
  uploadRemoved: cast(205, z.object({})),
};
