/** The endpoints of announcements, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import {
  allAnnouncements,
  changeAnnouncement,
  mailAnnouncement,
  publishAnnouncement,
  withdrawAnnouncement,
} from '../../../operations/administration/announcements.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { AdminAnnouncementEntity, adminAnnouncementEntity } from '../../entities/admin/site.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, id, required, text, time } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';
import { typedText } from './typed-text.ts';

const path = '/api/murmuration/v1/admin/announcements';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const writing = { scopes: ['admin:write'] };
/** An empty one removes the time. */
const removableTime = z.union([z.literal('').transform(() => null), time]);
const content = { starts_at: removableTime, ends_at: removableTime, all_day: boolean };

/** Throws Failure notFound. */
function answerOf(context: UserContext<GatewayServices>, announcementId: Id) {
  const found = allAnnouncements(context, {}).find((one) => one.id === announcementId);
  if (found === undefined) throw new Failure('notFound');
  return json(adminAnnouncementEntity(found, context.services.addresses));
}

const getAnnouncements = staffEndpoint(allAnnouncements, {
  scopes: ['admin:read'],
  method: 'GET',
  path,
  summary: 'Lists the announcements, oldest first.',
  answer: z.array(AdminAnnouncementEntity),
  handler: (context) =>
    json(allAnnouncements(context, {}).map((one) => adminAnnouncementEntity(one, context.services.addresses))),
});

const postAnnouncement = staffEndpoint(publishAnnouncement, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ text: required(text), ...content }),
  summary: 'Publishes an announcement to everybody here.',
  answer: AdminAnnouncementEntity,
  async handler(context, { text: typed, starts_at: startsAt, ends_at: endsAt, all_day: allDay = false }) {
    const said = typedText(publishAnnouncement.input.shape.text, typed);
    const times = { startsAt: startsAt ?? undefined, endsAt: endsAt ?? undefined };
    const { announcementId } = await publishAnnouncement(context, { text: said, ...times, allDay });
    return answerOf(context, announcementId);
  },
});

const putAnnouncement = staffEndpoint(changeAnnouncement, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id, text, ...content }),
  summary: 'Changes an announcement; what is not given stays, and an empty time is removed.',
  answer: AdminAnnouncementEntity,
  async handler(context, { id: announcementId, text: typed, starts_at: startsAt, ends_at: endsAt, all_day: allDay }) {
    const said = typed === undefined ? undefined : typedText(publishAnnouncement.input.shape.text, typed);
    await changeAnnouncement(context, { announcementId, text: said, startsAt, endsAt, allDay });
    return answerOf(context, announcementId);
  },
});

const deleteAnnouncement = staffEndpoint(withdrawAnnouncement, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Withdraws an announcement.',
  answer: EmptyEntity,
  async handler(context, { id: announcementId }) {
    await withdrawAnnouncement(context, { announcementId });
    return empty();
  },
});

const postMail = staffEndpoint(mailAnnouncement, {
  ...writing,
  method: 'POST',
  path: `${ofOne.path}/mail`,
  parameters: ofOne.parameters,
  summary: 'Sends an announcement by mail to everybody here who wants such mails, once.',
  answer: EmptyEntity,
  async handler(context, { id: announcementId }) {
    await mailAnnouncement(context, { announcementId });
    return empty();
  },
});

export const adminAnnouncementEndpoints = [
  getAnnouncements,
  postAnnouncement,
  putAnnouncement,
  deleteAnnouncement,
  postMail,
];
