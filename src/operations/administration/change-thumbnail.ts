/** Sets the picture of the server; without one, the built-in picture is shown again. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { profileLimits } from '../profile/limits.ts';
import { GivenPicture, storeGiven } from './given-picture.ts';

export const changeThumbnail = operation({
  input: z.object({
    picture: GivenPicture.optional(),
    description: z.string().trim().max(profileLimits.pictureDescriptionCharactersMax).optional(),
  }),
  permission: 'manageSettings',
  audit: 'changeThumbnail',
  async run({ caller, services, audit }, { picture: given, description }) {
    const picture = given === undefined ? undefined : await storeGiven(services, given, 'thumbnail');
    await services.client.call(
      Instance.changeThumbnail.to(instanceKey, { picture, description, audit }),
      flowOf(caller),
    );
  },
});
