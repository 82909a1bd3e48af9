/** The picture of the server, which staff choose. */
import type { BodyOf } from '../../runtime/contract.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { recordAudit } from '../audit.state.ts';
import { holdPicture, releasePicture } from '../held-pictures.ts';
import type { Instance, InstanceSettings } from './instance.messages.ts';
import { settings } from './instance.state.ts';
import type { InstanceTurn } from './instance.turn.ts';

export function changeThumbnail(
  turn: InstanceTurn,
  { audit, picture, description }: BodyOf<typeof Instance.changeThumbnail>,
): undefined {
  const { thumbnail: before, thumbnailDescription, ...others } = turn.get(settings, [turn.self.key]) ?? {};
  const thumbnail = picture && holdPicture(turn, picture, turn.nextId());
  releasePicture(turn, before);
  const after = withoutUndefined({ thumbnail, thumbnailDescription: picture && description });
  turn.put(settings, [turn.self.key], { ...others, ...after });
  recordAudit(turn, audit, {
    name: 'thumbnail',
    targetId: 'thumbnail',
    before: factsOf({ thumbnail: before, thumbnailDescription }),
    after: factsOf(after),
  });
}

function factsOf({ thumbnail, thumbnailDescription }: InstanceSettings) {
  return { thumbnail: thumbnail?.file.name, thumbnailDescription };
}
