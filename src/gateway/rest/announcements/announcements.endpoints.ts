/** Announcements by staff (specification 4.10, with the shapes of the Mastodon API). */
import { z } from 'zod';
import { announcementsFor } from '../../../operations/announcements/announcements.ts';
import { dismissAnnouncement } from '../../../operations/announcements/dismiss-announcement.ts';
import { reactToAnnouncement, takeReactionBack } from '../../../operations/announcements/react.ts';
import { AnnouncementEntity, announcementEntity } from '../../entities/announcement.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const getAnnouncements = endpoint({
  method: 'GET',
  path: '/api/v1/announcements',
  authentication: 'user',
  summary: 'Lists announcements in order of time; those dismissed by the user are marked as read.',
  answer: z.array(AnnouncementEntity),
  handler({ services, grant }) {
    const views = announcementsFor(services, grant.accountId);
    return json(views.map((view) => announcementEntity(view, services.addresses, true)));
  },
});

const dismiss = endpoint({
  method: 'POST',
  path: '/api/v1/announcements/:id/dismiss',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object({ id }),
  summary: 'Marks an announcement as read.',
  answer: EmptyEntity,
  async handler(context, { id: announcementId }) {
    await dismissAnnouncement(context, { announcementId });
    return empty();
  },
});

/** The name is an emoji, or the shortcode of a custom one. */
const reaction = {
  path: '/api/v1/announcements/:id/reactions/:name',
  authentication: 'user',
  scopes: ['write:favourites'],
  parameters: z.object({ id, name: z.string() }),
  answer: EmptyEntity,
} as const;

const putReaction = endpoint({
  ...reaction,
  methods: ['PUT', 'PATCH'],
  summary: 'Reacts to an announcement.',
  async handler(context, { id: announcementId, name }) {
    await reactToAnnouncement(context, { announcementId, name });
    return empty();
  },
});

const deleteReaction = endpoint({
  ...reaction,
  method: 'DELETE',
  summary: 'Removes a reaction.',
  async handler(context, { id: announcementId, name }) {
    await takeReactionBack(context, { announcementId, name });
    return empty();
  },
});

export const announcementEndpoints = [getAnnouncements, dismiss, putReaction, deleteReaction];
