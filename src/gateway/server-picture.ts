/** The picture of the server: that of staff, or the built-in one. */
import type { EffectiveSettings } from '../operations/instance/settings.ts';
import type { Addresses } from '../services/addresses.ts';
import { bannerBlurhash, bannerDescription, bannerPath } from './banner.ts';

export interface ServerPicture {
  /** 1200 by 630 pixels. */
  readonly url: string;
  /** Twice as many each way. */
  readonly largeUrl: string;
  readonly blurhash: string;
  readonly description: string;
}

/** `origin` is put before the path of the built-in one. */
export function serverPicture(
  { thumbnail, thumbnailDescription }: Pick<EffectiveSettings, 'thumbnail' | 'thumbnailDescription'>,
  addresses: Addresses,
  origin: string,
): ServerPicture {
  if (thumbnail?.preview === undefined || thumbnail.blurhash === undefined) {
    const url = `${origin}${bannerPath}`;
    return { url, largeUrl: url, blurhash: bannerBlurhash, description: bannerDescription };
  }
  const { file, preview, blurhash } = thumbnail;
  const [url, largeUrl] = [addresses.media(preview.name), addresses.media(file.name)];
  return { url, largeUrl, blurhash, description: thumbnailDescription ?? '' };
}
