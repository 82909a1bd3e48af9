/** Hashtags that are never recommended: they do not trend, and searches do not complete them (specification 4.9). */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { normaliseTagName } from '../../actors/text/hashtags.ts';
import { Failure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { settingsOf } from '../instance/settings.ts';
import { operation } from '../operation.ts';

export const setHashtagDisallowed = operation({
  input: z.object({ hashtag: z.string(), isDisallowed: z.boolean() }),
  permission: 'manageTaxonomies',
  audit: 'changeHashtag',
  async run({ caller, services, audit }, { hashtag, isDisallowed }) {
    const name = normaliseTagName(hashtag.replace(/^[#\uff03]/, ''));
    if (name === undefined) throw new Failure('validation', { text: `${hashtag} is not a hashtag.` });
    const message = Instance.setHashtagDisallowed.to(instanceKey, { name, isDisallowed, audit });
    await services.client.call(message, flowOf(caller));
    return name;
  },
});

export const listDisallowedHashtags = operation({
  input: z.object({}),
  permission: 'manageTaxonomies',
  audit: reads,
  run: ({ services }) => settingsOf(services).disallowedHashtags,
});
