/** Announcements to all local accounts: publishing, changing and withdrawing, by staff. */

import { z } from 'zod';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import { findAnnouncement, listAnnouncements } from '../../actors/instance/announcements/announcements.queries.ts';
import type { AnnouncementContent } from '../../actors/instance/announcements/announcements.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { extractTokens } from '../../actors/text/extract.ts';
import { renderStatusText } from '../../actors/text/render.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { whatIsAt } from '../search/resolve-address.ts';
import { distinctMentions, findMentions, handlesOf, renderedMentions } from '../statuses/mentions.ts';

const text = z.string().trim().min(1).max(instanceLimits.announcementCharactersMax);

export const publishAnnouncement = operation({
  input: z.object({
    text,
    startsAt: z.number().optional(),
    endsAt: z.number().optional(),
    allDay: z.boolean(),
  }),
  permission: 'manageAnnouncements',
  audit: 'publishAnnouncement',
  async run(context, given) {
    const content = await contentOf(context, given);
    const message = Instance.publishAnnouncement.to(instanceKey, { ...content, audit: context.audit });
    return context.services.client.call(message, flowOf(context.caller));
  },
});

/** Undefined fields stay unchanged; null removes a time. */
export const changeAnnouncement = operation({
  input: z.object({
    announcementId: z.coerce.bigint(),
    text: text.optional(),
    startsAt: z.number().nullable().optional(),
    endsAt: z.number().nullable().optional(),
    allDay: z.boolean().optional(),
  }),
  permission: 'manageAnnouncements',
  audit: 'changeAnnouncement',
  async run(context, { announcementId, ...given }) {
    const before = findAnnouncement(context.services.snapshots, announcementId);
    if (before === undefined) throw notThere(announcementId);
    const content = await contentOf(context, {
      text: given.text ?? before.text,
      startsAt: given.startsAt === undefined ? before.startsAt : (given.startsAt ?? undefined),
      endsAt: given.endsAt === undefined ? before.endsAt : (given.endsAt ?? undefined),
      allDay: given.allDay ?? before.allDay,
    });
    await context.services.client.call(
      Instance.changeAnnouncement.to(instanceKey, { announcementId, content, audit: context.audit }),
      flowOf(context.caller),
    );
  },
});

export const withdrawAnnouncement = operation({
  input: z.object({ announcementId: z.coerce.bigint() }),
  permission: 'manageAnnouncements',
  audit: 'withdrawAnnouncement',
  async run({ caller, services, audit }, { announcementId }) {
    if (findAnnouncement(services.snapshots, announcementId) === undefined) throw notThere(announcementId);
    await services.client.call(
      Instance.withdrawAnnouncement.to(instanceKey, { announcementId, audit }),
      flowOf(caller),
    );
  },
});

/** To everybody here who wants such mails, once. */
export const mailAnnouncement = operation({
  input: z.object({ announcementId: z.coerce.bigint() }),
  // As on Mastodon: publishing one is less than writing to everybody.
  permission: 'manageSettings',
  audit: 'mailAnnouncement',
  async run({ caller, services, audit }, { announcementId }) {
    if (findAnnouncement(services.snapshots, announcementId) === undefined) throw notThere(announcementId);
    if (!services.mail.isOn) throw new Failure('validation', { text: 'This server sends no mail.' });
    await services.client.call(Instance.mailAnnouncement.to(instanceKey, { announcementId, audit }), flowOf(caller));
  },
});

export const allAnnouncements = operation({
  input: z.object({}),
  permission: 'manageAnnouncements',
  audit: reads,
  run: ({ services }) => listAnnouncements(services.snapshots),
});

function notThere(id: bigint): Failure {
  return new Failure('notFound', { text: `There is no announcement ${id}.` });
}

interface Written {
  readonly text: string;
  readonly startsAt?: number | undefined;
  readonly endsAt?: number | undefined;
  readonly allDay: boolean;
}

/** Throws Failure validation for contradictory times. */
async function contentOf(context: OperationContext, written: Written): Promise<AnnouncementContent> {
  const { services } = context;
  const { addresses } = services;
  const { startsAt, endsAt } = written;
  if (endsAt !== undefined && endsAt <= Math.max(services.now(), startsAt ?? 0))
    throw new Failure('validation', { text: 'The end must be later than the start, and than now.' });
  const clean = cleanText(written.text);
  const tokens = extractTokens(clean);
  const found = await findMentions(services, handlesOf(tokens), context.caller.cause);
  const mentions = renderedMentions(found);
  const rendered = renderStatusText(clean, { mentions }, tokens);
  const statuses: { id: bigint; url: string }[] = [];
  for (const url of rendered.links) {
    const there = await whatIsAt(context, url, false);
    const status =
      there !== undefined && 'statusId' in there ? findStatus(services.snapshots, there.statusId) : undefined;
    if (status === undefined || !isForEverybody(status.status)) continue;
    const path = addresses.pathOf(url) ?? url;
    statuses.push({ id: status.status.id, url: path });
  }
  return {
    ...written,
    html: rendered.html,
    mentions: distinctMentions([...found.values()]).map(({ mention }) => mention),
    statuses,
    tags: rendered.tags.map(({ name }) => name),
  };
}
