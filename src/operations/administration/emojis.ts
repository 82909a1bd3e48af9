/** The custom emojis of this server: adding, replacing, changing, copying from other servers and removing, by staff. */
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { findCustomEmoji, listCustomEmojis } from '../../actors/instance/instance.queries.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { isShortcode } from '../../actors/text/shortcodes.ts';
import { parseRemoteUrl } from '../../outbound/fetcher/remote-policy.ts';
import { Failure } from '../../runtime/errors.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { emojisShownBy, pictureOfEmoji } from './emojis-elsewhere.ts';
import { GivenPicture, storeGiven } from './given-picture.ts';

/** Without a static picture the picture serves as both. Replaces the emoji with the same shortcode. */
export const putEmoji = operation({
  input: z.object({
    shortcode: z.string(),
    /** The address of a picture, which is neither fetched nor copied, or the picture itself. */
    image: z.string().optional(),
    picture: GivenPicture.optional(),
    staticImage: z.string().optional(),
    category: z.string().trim().optional(),
    isHidden: z.boolean(),
  }),
  permission: 'manageCustomEmojis',
  audit: 'putEmoji',
  async run({ caller, services, audit }, given) {
    const { shortcode, category, isHidden } = given;
    demandNames(given);
    const shown = await picturesOf(services, given);
    const emoji = { shortcode, ...shown, visibleInPicker: !isHidden, category: category || undefined };
    const message = Instance.putEmoji.to(instanceKey, { ...withoutUndefined(emoji), audit });
    await services.client.call(message, flowOf(caller));
  },
});

/** What is not given stays; an empty category is none. Disabled ones are not offered, and nothing new is written with them. */
export const changeEmoji = operation({
  input: z.object({
    shortcode: z.string(),
    category: z.string().trim().optional(),
    isHidden: z.boolean().optional(),
    isDisabled: z.boolean().optional(),
  }),
  permission: 'manageCustomEmojis',
  audit: 'changeEmoji',
  async run({ caller, services, audit }, { shortcode, category, isHidden, isDisabled }) {
    demandCategory(category);
    const visibleInPicker = isHidden === undefined ? undefined : !isHidden;
    const changes = withoutUndefined({ category, visibleInPicker, isDisabled });
    await services.client.call(Instance.changeEmoji.to(instanceKey, { shortcode, ...changes, audit }), flowOf(caller));
  },
});

/**
 * Takes over an emoji that a post or an account of another server shows: its picture is fetched and kept here. `from` is an
 * address or a handle. Throws Failure notFound where there is no such emoji, validation for a name that is taken, and
 * remoteUnreachable.
 */
export const copyEmoji = operation({
  input: z.object({
    shortcode: z.string(),
    from: z.string().trim(),
    /** Its name here; the same by default. */
    name: z.string().optional(),
    category: z.string().trim().optional(),
  }),
  permission: 'manageCustomEmojis',
  audit: 'copyEmoji',
  async run(context, { shortcode, from, name = shortcode, category }) {
    const { caller, services, audit } = context;
    demandNames({ shortcode: name, category });
    if (findCustomEmoji(services.snapshots, name) !== undefined) throw refused(`There is an emoji ${name} already.`);
    const shown = (await emojisShownBy(context, from)).find((one) => one.shortcode === shortcode);
    if (shown === undefined)
      throw new Failure('notFound', { text: `${from} shows no emoji ${shortcode} of another server.` });
    const picture = await pictureOfEmoji(services, shown);
    const still = picture.still ?? picture.file;
    const emoji = { shortcode: name, url: picture.file.name, staticUrl: still.name, picture, visibleInPicker: true };
    const sorted = category === undefined || category === '' ? {} : { category };
    await services.client.call(Instance.putEmoji.to(instanceKey, { ...emoji, ...sorted, audit }), flowOf(caller));
    return { shortcode: name };
  },
});

export const removeEmoji = operation({
  input: z.object({ shortcode: z.string() }),
  permission: 'manageCustomEmojis',
  audit: 'removeEmoji',
  run: ({ caller, services, audit }, given) =>
    services.client.call(Instance.removeEmoji.to(instanceKey, { ...given, audit }), flowOf(caller)),
});

export const allEmojis = operation({
  input: z.object({}),
  permission: 'manageCustomEmojis',
  audit: reads,
  run: ({ services: { snapshots, addresses } }) =>
    listCustomEmojis(snapshots).map(({ picture: _held, url, ...emoji }) => ({ ...emoji, url: addresses.media(url) })),
});

async function picturesOf(services: Services, { image, staticImage, picture: given }: EmojiPictures) {
  if ((image === undefined) === (given === undefined)) throw refused('An emoji has either a file or an address.');
  if (image !== undefined) {
    const url = pictureAddress(services, image);
    return { url, staticUrl: staticImage === undefined ? url : pictureAddress(services, staticImage) };
  }
  if (staticImage !== undefined) throw refused('The still picture of a file is made of it.');
  const picture = await storeGiven(services, given!, 'emoji');
  return { url: picture.file.name, staticUrl: (picture.still ?? picture.file).name, picture };
}

function demandNames({
  shortcode,
  category,
}: {
  readonly shortcode: string;
  readonly category?: string | undefined;
}): void {
  if (!isShortcode(shortcode))
    throw refused(`${shortcode} is not a shortcode: 2 to 128 letters from A to Z or a to z, digits and underscores.`);
  demandCategory(category);
}

function demandCategory(category: string | undefined): void {
  const { emojiCategoryCharactersMax: max } = instanceLimits;
  if (category !== undefined && category.length > max)
    throw refused(`The name of a category has at most ${max} characters.`);
}

/** The rules for addresses of other servers, except that the picture may be on this one. */
function pictureAddress({ options }: Services, given: string): string {
  const { federationAllowPrivate: allowPrivate, federationAllowHttp: allowHttp } = options;
  const address = parseRemoteUrl(given, { allowPrivate, allowHttp, isRefusedHost: () => false });
  if (!address.ok) throw refused(`${given} is not the address of a picture: ${address.detail}.`);
  return address.url.href;
}

interface EmojiPictures {
  readonly image?: string | undefined;
  readonly staticImage?: string | undefined;
  readonly picture?: string | undefined;
}

function refused(text: string): Failure {
  return new Failure('validation', { text });
}
