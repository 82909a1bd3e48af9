/** Bodies of answers made of statuses, as JSON bytes: encoded once, the viewer's part spliced in. */
import type { PresentationContext } from '../../operations/presentation/contexts.ts';
import type { Presenter } from '../../operations/presentation/presenter.ts';
import type { Id } from '../../runtime/ids.ts';
import {
  appendStatus,
  type EncodableStatus,
  type EncodedAccount,
  type EncodedState,
  type EncodedStatus,
} from './encoded-status.ts';
import { PageBuffer } from './page-buffer.ts';

export type StatusPresenter = Presenter<EncodedStatus, EncodedAccount, EncodedState>;

const openBracket = 0x5b;
const listEnd = Buffer.from(']');
/** What a page is when nothing of it is shown: this very buffer. */
export const emptyPage = Buffer.from('[]');

export class EncodedAnswers {
  private readonly presenter: StatusPresenter;
  private readonly buffer = new PageBuffer();

  constructor(presenter: StatusPresenter) {
    this.presenter = presenter;
  }

  /** The entity of one status; undefined when it does not exist for this viewer. Good until the next body is made. */
  status(statusId: Id, viewerId: Id | undefined, context: PresentationContext = 'single'): Buffer | undefined {
    const shown = this.presenter.one(statusId, viewerId, context);
    return shown === undefined ? undefined : this.shown(shown);
  }

  /** The entity of a status that was presented already. Good until the next body is made. */
  shown(status: EncodableStatus): Buffer {
    this.buffer.begin();
    appendStatus(this.buffer, status);
    return this.buffer.page.subarray(1);
  }

  /** A JSON array of those statuses that the viewer is shown. Good until the next body is made. */
  statuses(statusIds: BigUint64Array, viewerId: Id | undefined, context: PresentationContext): Buffer {
    const { buffer } = this;
    buffer.begin();
    for (const status of this.presenter.page(statusIds, viewerId, context)) appendStatus(buffer, status);
    if (buffer.length === 0) return emptyPage;
    buffer.overwrite(0, openBracket);
    buffer.append(listEnd);
    return buffer.page;
  }
}
