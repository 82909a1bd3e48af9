/**
 * A status encoded for every viewer: the JSON text of its entity, without what depends on the viewer. Encoding twenty
 * statuses afresh costs more than everything else of a timeline (measured).
 */

import type { Visibility } from '../../../actors/account/account.records.ts';
import type { AccountView, StatusView } from '../../../actors/account/statuses/statuses.queries.ts';
import type { Mention } from '../../../actors/account/statuses/statuses.records.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Addresses } from '../../../services/addresses.ts';
import { accountEntity } from '../../entities/account.ts';
import { statusEntity } from '../../entities/status.ts';
import { highHalf, lowHalf } from './id-map.ts';

/** What an entry costs beside its text. */
const entryOverheadBytes = 400;

export class EncodedAccount {
  /** The entity; undefined for an account that is suspended, whose statuses are not shown. */
  readonly json: Buffer | undefined;
  readonly bytes: number;
  /** False as soon as it is not in the cache of accounts any more, which hears of every change. */
  isCurrent = true;

  constructor(view: AccountView | undefined, addresses: Addresses) {
    const isShown = view !== undefined && view.profile.suspendedAt === undefined;
    this.json = isShown ? Buffer.from(JSON.stringify(accountEntity(view, addresses))) : undefined;
    this.bytes = (this.json?.length ?? 0) + entryOverheadBytes;
  }

  dropped(): void {
    this.isCurrent = false;
  }
}

/** What a viewer has marked, as JSON to the end of the entity; `own` for statuses of the viewer's own. */
export function marksJson(favourited: boolean, reblogged: boolean, own: boolean): Buffer {
  const pinned = own ? '"pinned":false,' : '';
  return Buffer.from(
    `"favourited":${favourited},"reblogged":${reblogged},"muted":false,"bookmarked":false,${pinned}"filtered":[]}`,
  );
}

/** What most viewers have marked: nothing. */
export const noMarks = marksJson(false, false, false);

const start = Buffer.from(',{"account":');
const end = Buffer.concat([Buffer.from('"reblog":null,'), noMarks]);
const endOfReblog = Buffer.from('"reblog"');
const nothing = Buffer.alloc(0);

export class EncodedStatus {
  readonly id: Id;
  /** What a viewer marks: the reblogged status of a reblog, otherwise this one; its id in two halves (see IdMap). */
  readonly subjectId: Id;
  readonly subjectLow: number;
  readonly subjectHigh: number;
  readonly accountId: Id;
  readonly visibility: Visibility;
  readonly mentions: readonly Mention[];
  readonly reblogOfId: Id | undefined;
  readonly reblogOfAccountId: Id | undefined;
  readonly bytes: number;
  /** Everything but `account`, `reblog` and what depends on the viewer, beginning and ending with a comma. */
  private body: Buffer;
  private text: Buffer = nothing;
  private textOf: EncodedAccount | undefined;

  constructor({ status, ...view }: StatusView, addresses: Addresses) {
    const {
      account: _account,
      reblog: _reblog,
      ...rest
    } = statusEntity({ ...view, status, reblog: undefined }, addresses);
    this.id = status.id;
    this.subjectId = status.reblogOfId ?? status.id;
    this.subjectLow = lowHalf(this.subjectId);
    this.subjectHigh = highHalf(this.subjectId);
    this.accountId = status.accountId;
    this.visibility = status.visibility;
    this.mentions = status.mentions;
    this.reblogOfId = status.reblogOfId;
    this.reblogOfAccountId = status.reblogOfAccountId;
    this.body = Buffer.from(`,${JSON.stringify(rest).slice(1, -1)},`);
    this.bytes = this.body.length + entryOverheadBytes;
  }

  /** The account that the text was made with, while that is true. */
  get account(): EncodedAccount | undefined {
    return this.textOf?.isCurrent === true ? this.textOf : undefined;
  }

  /**
   * A comma as separator, then the entity, which ends with `noMarks`; that of a reblog up to the reblogged status, whose
   * separator is to be a colon. Undefined where the account is not shown.
   */
  textWith(account: EncodedAccount): Buffer | undefined {
    if (account.json === undefined) return undefined;
    if (this.textOf !== account) {
      this.text = Buffer.concat([start, account.json, this.body, this.reblogOfId === undefined ? end : endOfReblog]);
      this.textOf = account;
      // The text holds the body: it is kept once.
      const bodyStart = start.length + account.json.length;
      this.body = this.text.subarray(bodyStart, bodyStart + this.body.length);
    }
    return this.text;
  }
}
