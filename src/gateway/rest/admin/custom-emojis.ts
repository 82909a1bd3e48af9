/** The endpoints of custom emojis for staff, our own: Mastodon has them on its pages only. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { findCustomEmoji, listCustomEmojis } from '../../../actors/instance/instance.queries.ts';
import { allEmojis, changeEmoji, copyEmoji, putEmoji, removeEmoji } from '../../../operations/administration/emojis.ts';
import { Failure } from '../../../runtime/errors.ts';
import { pictureForms } from '../../../services/media/picture-forms.ts';
import { AdminEmojiEntity, adminEmojiEntity } from '../../entities/admin/site.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, file, required, text } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/murmuration/v1/admin/custom_emojis';
const shortcode = z.string();
const ofOne = { path: `${path}/:shortcode`, parameters: z.object({ shortcode }) };
const writing = { scopes: ['admin:write'] };

/** Throws Failure notFound. */
function answerOf({ services }: UserContext<GatewayServices>, name: string) {
  const found = findCustomEmoji(services.snapshots, name);
  if (found === undefined) throw new Failure('notFound');
  return json(adminEmojiEntity(found, services.addresses));
}

const getEmojis = staffEndpoint(allEmojis, {
  scopes: ['admin:read'],
  method: 'GET',
  path,
  summary: 'Lists the custom emojis of this server, also hidden and disabled ones.',
  answer: z.array(AdminEmojiEntity),
  handler: ({ services: { snapshots, addresses } }) =>
    json(listCustomEmojis(snapshots).map((emoji) => adminEmojiEntity(emoji, addresses))),
});

const postEmoji = staffEndpoint(putEmoji, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({
    shortcode: required(text),
    image: file(pictureForms.emoji),
    url: text,
    static_url: text,
    category: text,
    visible_in_picker: boolean.default(true),
  }),
  summary: 'Adds a custom emoji from a file or an address, or replaces the one with its shortcode.',
  answer: AdminEmojiEntity,
  async handler(context, { shortcode: name, image, url, static_url: staticImage, category, visible_in_picker: shown }) {
    const picture = image === undefined ? {} : { picture: await readFile(image.path, 'base64') };
    const given = { ...picture, ...(url && { image: url }), ...(staticImage && { staticImage }) };
    await putEmoji(context, { shortcode: name, ...given, category: category?.trim(), isHidden: !shown });
    return answerOf(context, name);
  },
});

const postCopy = staffEndpoint(copyEmoji, {
  ...writing,
  method: 'POST',
  path: `${path}/copy`,
  parameters: z.object({ shortcode: required(text), from: required(text), as: text, category: text }),
  summary: 'Takes over an emoji that a post or an account of another server shows; `from` is its address or handle.',
  answer: AdminEmojiEntity,
  async handler(context, { shortcode: name, from, as, category }) {
    const given = { shortcode: name, from: from.trim(), ...(as && { name: as }), category: category?.trim() };
    return answerOf(context, (await copyEmoji(context, given)).shortcode);
  },
});

const putChange = staffEndpoint(changeEmoji, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ shortcode, category: text, visible_in_picker: boolean, disabled: boolean }),
  summary: 'Changes a custom emoji: its category, whether it is offered, whether it can be used; the rest stays.',
  answer: AdminEmojiEntity,
  async handler(context, { shortcode: name, category, visible_in_picker: shown, disabled }) {
    const isHidden = shown === undefined ? undefined : !shown;
    await changeEmoji(context, { shortcode: name, category: category?.trim(), isHidden, isDisabled: disabled });
    return answerOf(context, name);
  },
});

const deleteEmoji = staffEndpoint(removeEmoji, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a custom emoji; what was written with it keeps it.',
  answer: EmptyEntity,
  async handler(context, { shortcode: name }) {
    await removeEmoji(context, { shortcode: name });
    return empty();
  },
});

export const adminEmojiEndpoints = [getEmojis, postCopy, postEmoji, putChange, deleteEmoji];
