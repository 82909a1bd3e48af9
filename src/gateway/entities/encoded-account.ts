/**
 * Accounts as the JSON text of their entities: encoded once per version and cached, for all viewers. What changes most
 * often, the counters, and what depends on the viewer, the permission to feature the account, have known places.
 */

import type { AccountCounters } from '../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import type { Muted } from '../../actors/account/relationships/relationships.queries.ts';
import type { FeaturePermission } from '../../actors/policy/featuring.ts';
import { keptText } from '../../runtime/kept-text.ts';
import type { Addresses } from '../../services/addresses.ts';
import { type AccountEntity, accountEntity, countsOf } from './account.ts';
import type { PageBuffer } from './page-buffer.ts';

/** The account as it is cached, and the permission that the viewer has to feature it. */
export interface EncodableAccount {
  readonly body: EncodedAccount;
  readonly permission: FeaturePermission;
}

const start = ',{"account":';
const countsStart = '"last_status_at":';
const behindCounts = ',"hide_collections":';

/** The entity ends with the permission. */
const ends: Readonly<Record<FeaturePermission, Buffer>> = {
  automatic: Buffer.from('"automatic"}}'),
  manual: Buffer.from('"manual"}}'),
  denied: Buffer.from('"denied"}}'),
  unknown: Buffer.from('"unknown"}}'),
  missing: Buffer.from('"missing"}}'),
};

export class EncodedAccount {
  /** The beginning of the entity of a status by the account, without a comma behind it. */
  text: Buffer;
  /** The permission in the text: that of a signed-in stranger. */
  readonly permission: FeaturePermission;
  private readonly countsFrom: number;
  private countsEnd: number;

  constructor(view: AccountView, addresses: Addresses, serverSendsPosts: boolean) {
    const entity = accountEntity(view, addresses, undefined, undefined, serverSendsPosts);
    this.text = keptText(start + JSON.stringify(entity));
    this.permission = entity.feature_approval.current_user;
    // Quotation marks in texts are escaped, so these are the fields.
    this.countsFrom = this.text.indexOf(countsStart);
    this.countsEnd = this.text.indexOf(behindCounts, this.countsFrom);
  }

  get length(): number {
    return this.text.length;
  }

  /** Writes other counters into the text. Usually they take as much room as those before. */
  count(counters: AccountCounters): void {
    const counts = JSON.stringify(countsOf(counters)).slice(1, -1);
    const { text, countsFrom } = this;
    const grows = countsFrom + counts.length - this.countsEnd;
    if (grows !== 0) {
      this.text = Buffer.allocUnsafeSlow(text.length + grows);
      text.copy(this.text, 0, 0, countsFrom);
      text.copy(this.text, this.countsEnd + grows, this.countsEnd);
      this.countsEnd += grows;
    }
    this.text.write(counts, countsFrom, 'latin1');
  }
}

/** Appends the beginning of the entity of a status by the account. */
export function appendAuthor(buffer: PageBuffer, { body, permission }: EncodableAccount): void {
  buffer.append(body.text);
  if (permission !== body.permission) endWith(buffer, body, permission);
}

/** Appends the entity of the account itself. */
export function appendAccount(buffer: PageBuffer, { body, permission }: EncodableAccount): void {
  buffer.appendFrom(body.text, start.length);
  if (permission !== body.permission) endWith(buffer, body, permission);
}

/** Appends the entity of a muted account. */
export function appendMuted(buffer: PageBuffer, { account, mute: { expiresAt } }: Muted<EncodableAccount>): void {
  appendAccount(buffer, account);
  buffer.truncate(buffer.length - 1);
  const until = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  buffer.append(Buffer.from(`,"mute_expires_at":${JSON.stringify(until)}}`));
}

function endWith(buffer: PageBuffer, body: EncodedAccount, permission: FeaturePermission): void {
  buffer.truncate(buffer.length - ends[body.permission].length);
  buffer.append(ends[permission]);
}

export function accountOf({ body, permission }: EncodableAccount): AccountEntity {
  const entity = JSON.parse(body.text.toString('utf8', start.length)) as AccountEntity;
  entity.feature_approval.current_user = permission;
  return entity;
}
