/** What the user is told by mail. No other server has an endpoint for it. */
import { z } from 'zod';
import { MailTopic } from '../../../actors/account/mail/mail.records.ts';
import { changeMailSettings, mailChoicesOf } from '../../../operations/mail/change-mail-settings.ts';
import type { Services } from '../../../services/services.ts';
import { MailSettingsEntity } from '../../entities/mail-settings.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, group } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const path = '/api/murmuration/v1/mail_settings';
const topics = group(Object.fromEntries(MailTopic.options.map((topic) => [topic, boolean])));

function answer({ services, grant }: UserContext<Services>): Answer {
  const choices = mailChoicesOf(services, grant.accountId);
  return json({ always: choices.always, topics: Object.fromEntries(choices.topics) });
}

const getMailSettings = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes: ['read:accounts'],
  admitsMoved: true,
  summary: 'Returns what the user is told by mail.',
  answer: MailSettingsEntity,
  handler: answer,
});

const patchMailSettings = endpoint({
  methods: ['PATCH', 'PUT'],
  path,
  authentication: 'user',
  scopes: ['write:accounts'],
  admitsMoved: true,
  parameters: z.object({ topics, always: boolean }),
  summary: 'Changes what the user is told by mail; what is left out stays as it is.',
  answer: MailSettingsEntity,
  async handler(context, { topics: chosen = {}, always }) {
    await changeMailSettings(context, { topics: chosen, always });
    return answer(context);
  },
});

export const mailSettingsEndpoints = [getMailSettings, patchMailSettings];
