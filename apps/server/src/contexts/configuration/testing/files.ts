/** Files for tests: sound as encoders write it, frame by frame. */

export interface SoundOptions {
  frames?: number
  /** Bits of a frame's head: index of the bit rate (9 is 128 kbps), of the sample rate (0 is 44100 Hz), channel mode (3 is mono). */
  bitRate?: number
  sampleRate?: number
  mode?: number
  /** 1: layer III; 2: layer II. */
  layer?: number
  /** Bytes of a tag before the sound. */
  tag?: number
}

const BIT_RATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const SAMPLE_RATES = [44_100, 48_000, 32_000]

/** MPEG-1: heads where they belong and silence between them; as terminals play it unless wished otherwise. */
export function sound({ frames = 20, bitRate = 9, sampleRate = 0, mode = 3, layer = 1, tag = 0 }: SoundOptions = {}): Buffer {
  const frame = Buffer.alloc(Math.floor((144 * BIT_RATES[bitRate]! * 1000) / SAMPLE_RATES[sampleRate]!))
  frame.set([0xff, 0xf9 | (layer << 1), (bitRate << 4) | (sampleRate << 2), mode << 6])
  return Buffer.concat([tag > 0 ? taggedWith(tag) : Buffer.alloc(0), ...Array.from({ length: frames }, () => frame)])
}

/** An ID3v2 tag: its size in seven bits a byte. */
function taggedWith(size: number): Buffer {
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, (size >> 21) & 0x7f, (size >> 14) & 0x7f, (size >> 7) & 0x7f, size & 0x7f])
  return Buffer.concat([head, Buffer.alloc(size, 0xff)])
}
