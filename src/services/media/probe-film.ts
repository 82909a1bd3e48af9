/** Reads what ffprobe says of a film or of sound. */
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';

const number = z.coerce.number().optional();
const Stream = z.object({
  index: z.number(),
  codec_type: z.string(),
  codec_name: z.string().optional(),
  pix_fmt: z.string().optional(),
  width: number,
  height: number,
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
const Probe = z.object({
  streams: z.array(Stream),
  format: z.object({ duration: number, bit_rate: number }),
});

export interface PictureStream {
  readonly codec: string;
  readonly pixelFormat: string;
  /** As shown: rotated where the file says so. */
  readonly width: number;
  readonly height: number;
  /** Frames a second as the fraction that the file states, such as `30000/1001`. */
  readonly frameRate: string;
}

export interface ProbedFilm {
  readonly picture?: PictureStream;
  /** The codec of the first sound. */
  readonly sound?: string;
  /** The number of the stream that holds a picture of a record. */
  readonly coverStream?: number;
  /** Seconds. */
  readonly duration: number;
  /** Bits a second; 0 where unknown. */
  readonly bitrate: number;
}

/** Throws Failure `validation` where there is neither picture nor sound. */
export function readProbe(json: string): ProbedFilm {
  const { streams, format } = Probe.parse(JSON.parse(json));
  const isCover = ({ disposition }: z.infer<typeof Stream>) => disposition?.attached_pic === 1;
  const picture = streams.find((stream) => stream.codec_type === 'video' && !isCover(stream));
  const sound = streams.find((stream) => stream.codec_type === 'audio');
  const cover = streams.find((stream) => stream.codec_type === 'video' && isCover(stream));
  if (picture === undefined && sound === undefined)
    throw new Failure('validation', { text: 'File has no picture and no sound' });
  return {
    ...(picture === undefined ? {} : { picture: pictureOf(picture) }),
    ...(sound === undefined ? {} : { sound: sound.codec_name ?? 'unknown' }),
    ...(cover === undefined ? {} : { coverStream: cover.index }),
    duration: format.duration ?? 0,
    bitrate: format.bit_rate ?? 0,
  };
}

function pictureOf(stream: z.infer<typeof Stream>): PictureStream {
  const { codec_name, pix_fmt, width = 0, height = 0, side_data_list = [] } = stream;
  const rotation = side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const isTurned = Math.abs(rotation) % 180 === 90;
  return {
    codec: codec_name ?? 'unknown',
    pixelFormat: pix_fmt ?? 'unknown',
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    frameRate: frameRateOf(stream),
  };
}

function frameRateOf({ avg_frame_rate, r_frame_rate }: z.infer<typeof Stream>): string {
  return [avg_frame_rate, r_frame_rate].find((rate) => rate !== undefined && framesASecond(rate) > 0) ?? '0/1';
}

/** Of a fraction such as `30000/1001`; 0 for anything else. */
export function framesASecond(rate: string): number {
  const [frames = Number.NaN, seconds = 1] = rate.split('/').map(Number);
  const value = frames / seconds;
  return Number.isFinite(value) ? value : 0;
}
