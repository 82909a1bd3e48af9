/** /admin/blocks/…: who may not sign up, or not come at all: addresses of networks, e-mail addresses and names. */
import type {
  AddressBlock,
  CanonicalEmailBlock,
  EmailDomainBlock,
  UsernameBlock,
} from '../../../../actors/instance/access/access.records.ts';
import { instanceLimits } from '../../../../actors/instance/limits.ts';
import { type AddressSeverity, addressSeverities } from '../../../../actors/policy/access.ts';
import {
  blockCanonicalEmail,
  listCanonicalEmailBlocks,
  unblockCanonicalEmail,
} from '../../../../operations/administration/canonical-email-blocks.ts';
import {
  blockEmailDomain,
  listEmailDomainBlocks,
  unblockEmailDomain,
} from '../../../../operations/administration/email-domain-blocks.ts';
import { blockAddress, listAddressBlocks, unblockAddress } from '../../../../operations/administration/ip-blocks.ts';
import {
  blockUsername,
  listUsernameBlocks,
  unblockUsername,
} from '../../../../operations/administration/username-blocks.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { type Id, parseId } from '../../../../runtime/ids.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import type { RawRoute } from '../../../route.ts';
import { tabs } from '../../parts/tabs.ts';
import { fullDay, fullTime } from '../../parts/time.ts';
import { actButton, checkbox, perform, radios } from '../parts.ts';
import type { StaffVisit } from '../visitor.ts';
import { listedRoutes } from './listed-page.ts';
import { selectField, textField } from './text-field.ts';

const pages = ['addresses', 'email-domains', 'emails', 'usernames'] as const;
type PageName = (typeof pages)[number];

const addressOf = (page: PageName) => `/admin/blocks/${page}`;

function tabsOf({ words: { keeping } }: StaffVisit, current: PageName): Html {
  return tabs(
    keeping.blocks.title,
    pages.map((page) => ({
      words: keeping.blocks.kinds[page],
      path: addressOf(page),
      isCurrent: page === current,
    })),
  );
}

function numbered(id: string): Id {
  const parsed = parseId(id);
  if (parsed === undefined) throw new Failure('notFound');
  return parsed;
}

function row(visit: StaffVisit, page: PageName, id: string | bigint, what: Html, notes: Html, createdAt: number): Html {
  const { keeping } = visit.words;
  return html`<div class="line row"><span class="what">${what}</span>${actButton(`/web${addressOf(page)}/${id}/remove`, keeping.blocks.remove)}</div>
<p class="fine">${notes}${keeping.blocks.since({ time: fullDay(visit, createdAt) })}</p>`;
}

const hour = 3_600;
const durations = { '0': 0, '3600': hour, '86400': 24 * hour, '604800': 168 * hour, '2592000': 720 * hour } as const;
type Duration = keyof typeof durations;

const addresses = listedRoutes({
  section: 'blocks',
  address: addressOf('addresses'),
  tabs: (visit) => tabsOf(visit, 'addresses'),
  words: ({ keeping: { blocks } }) => ({ ...blocks.addresses, heading: blocks.kinds.addresses, none: blocks.none }),
  list: listAddressBlocks,
  row(visit, { id, range, severity, comment, expiresAt, createdAt }: AddressBlock) {
    const { blocks } = visit.words.keeping;
    return row(
      ...([visit, 'addresses' as const, id, html`<bdi lang="en">${range}</bdi>`] as const),
      html`${blocks.severities[severity]} · ${expiresAt !== undefined && html`${blocks.until({ time: fullTime(visit, expiresAt) })} · `}${comment !== '' && html`<span dir="auto">${comment}</span> · `}`,
      createdAt,
    );
  },
  empty: {
    range: '',
    severity: 'sign_up_requires_approval' as AddressSeverity | undefined,
    comment: '',
    duration: '0' as Duration,
  },
  fields: (
    {
      words: {
        keeping: { blocks },
      },
    },
    draft,
  ) => html`${textField({ name: 'range', ...blocks.fields.range, value: draft.range, isRequired: true, isCode: true })}
${radios(blocks.severity, 'severity', addressSeverities, blocks.severities, draft.severity)}
${selectField('duration', blocks.duration, blocks.durations, draft.duration)}
${textField({ name: 'comment', ...blocks.fields.comment, value: draft.comment, limit: instanceLimits.addressCommentCharactersMax })}`,
  draftIn: (fields) => ({
    range: fields.get('range') ?? '',
    severity: addressSeverities.find((one) => one === fields.get('severity')),
    comment: fields.get('comment') ?? '',
    duration: (Object.keys(durations) as Duration[]).find((one) => one === fields.get('duration')) ?? '0',
  }),
  add(form, { duration, severity, ...draft }) {
    if (severity === undefined) throw new Failure('badRequest');
    return perform(form, blockAddress, { ...draft, severity, expiresInSeconds: durations[duration] });
  },
  added: 'blockAdded',
  removal: { remove: ({ visit }, id) => unblockAddress(visit, { range: numbered(id) }), removed: 'blockRemoved' },
});

const emailDomains = listedRoutes({
  section: 'blocks',
  address: addressOf('email-domains'),
  tabs: (visit) => tabsOf(visit, 'email-domains'),
  words: ({ keeping: { blocks } }) => ({
    ...{ ...blocks.emailDomains, heading: blocks.kinds['email-domains'], none: blocks.none },
  }),
  list: listEmailDomainBlocks,
  row(visit, { id, domain, allowWithApproval, attempts, createdAt }: EmailDomainBlock) {
    const { blocks } = visit.words.keeping;
    const count = attempts.reduce((sum, { uses }) => sum + uses, 0);
    const notes = html`${allowWithApproval && html`${blocks.withApproval} · `}${count > 0 && html`${blocks.attempts({ count })} · `}`;
    return row(visit, 'email-domains', id, html`<bdi>${domain}</bdi>`, notes, createdAt);
  },
  empty: { domain: '', allowWithApproval: false },
  fields: (
    {
      words: {
        keeping: { blocks },
      },
    },
    draft,
  ) => html`${textField({ name: 'domain', ...blocks.fields.domain, value: draft.domain, isRequired: true, isCode: true })}
${checkbox('approval', draft.allowWithApproval, blocks.approval, blocks.approvalHint)}`,
  draftIn: (fields) => ({
    domain: fields.get('domain') ?? '',
    allowWithApproval: fields.get('approval') !== undefined,
  }),
  add: (form, draft) => perform(form, blockEmailDomain, draft),
  added: 'blockAdded',
  removal: { remove: ({ visit }, id) => unblockEmailDomain(visit, { domain: numbered(id) }), removed: 'blockRemoved' },
});

const emails = listedRoutes({
  section: 'blocks',
  address: addressOf('emails'),
  tabs: (visit) => tabsOf(visit, 'emails'),
  words: ({ keeping: { blocks } }) => ({ ...blocks.emails, heading: blocks.kinds.emails, none: blocks.none }),
  list: listCanonicalEmailBlocks,
  row: (visit, { id, hash, createdAt }: CanonicalEmailBlock) =>
    row(visit, 'emails', id, html`<code lang="en">${hash}</code>`, html``, createdAt),
  empty: { email: '' },
  fields: (
    {
      words: {
        keeping: { blocks },
      },
    },
    { email },
  ) => textField({ name: 'email', ...blocks.fields.email, value: email, isRequired: true, isCode: true }),
  draftIn: (fields) => ({ email: fields.get('email') ?? '' }),
  add: (form, draft) => perform(form, blockCanonicalEmail, draft),
  added: 'blockAdded',
  removal: { remove: ({ visit }, id) => unblockCanonicalEmail(visit, { id: numbered(id) }), removed: 'blockRemoved' },
});

const usernames = listedRoutes({
  section: 'blocks',
  address: addressOf('usernames'),
  tabs: (visit) => tabsOf(visit, 'usernames'),
  words: ({ keeping: { blocks } }) => ({ ...blocks.usernames, heading: blocks.kinds.usernames, none: blocks.none }),
  list: listUsernameBlocks,
  row(visit, { username, isExact, allowWithApproval, createdAt }: UsernameBlock) {
    const { blocks } = visit.words.keeping;
    const notes = html`${isExact ? blocks.exact : blocks.containing} · ${allowWithApproval && html`${blocks.withApproval} · `}`;
    return row(visit, 'usernames', username, html`<bdi>${username}</bdi>`, notes, createdAt);
  },
  empty: { username: '', isExact: false, allowWithApproval: false },
  fields: (
    {
      words: {
        keeping: { blocks },
      },
    },
    draft,
  ) => html`${textField({ name: 'username', ...blocks.fields.username, value: draft.username, isRequired: true, isCode: true })}
${checkbox('exact', draft.isExact, blocks.isExact, blocks.isExactHint)}
${checkbox('approval', draft.allowWithApproval, blocks.approval, blocks.approvalHint)}`,
  draftIn: (fields) => ({
    username: fields.get('username') ?? '',
    isExact: fields.get('exact') !== undefined,
    allowWithApproval: fields.get('approval') !== undefined,
  }),
  add: (form, draft) => perform(form, blockUsername, draft),
  added: 'blockAdded',
  removal: { remove: ({ visit }, username) => unblockUsername(visit, { username }), removed: 'blockRemoved' },
});

export const accessRoutes: readonly RawRoute<GatewayServices>[] = [
  ...addresses,
  ...emailDomains,
  ...emails,
  ...usernames,
];
