/** Announcements by mail, our own: Mastodon has it on its pages only. */
import { z } from 'zod';
import { mailAnnouncement } from '../../../operations/administration/announcements.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const postMail = staffEndpoint(mailAnnouncement, {
  scopes: ['admin:write'],
  method: 'POST',
  path: '/api/murmuration/v1/admin/announcements/:id/mail',
  parameters: z.object({ id }),
  summary: 'Sends an announcement by mail to everybody here who wants such mails, once.',
  answer: EmptyEntity,
  async handler(context, { id: announcementId }) {
    await mailAnnouncement(context, { announcementId });
    return empty();
  },
});

export const adminAnnouncementEndpoints = [postMail];
