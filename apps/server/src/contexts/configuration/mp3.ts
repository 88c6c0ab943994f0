/**
 * Checks that a file is a sound that terminals play: MPEG-1 layer III, 44100 Hz, mono, 128 kbps. Terminals of this kind
 * play anything else too fast, at half the pitch or not at all, so each of the first frames is examined, not the name.
 */
import { AUDIO_BIT_RATE, AUDIO_CHANNELS, AUDIO_SAMPLE_RATE, type FieldIssue } from '@gatehouse/contract'

/** Frames examined: close to a second of sound. */
const FRAMES_CHECKED = 32
/** A frame header occurs by chance in other files; three in a row, each where the previous frame ends, do not. */
const FRAMES_LEAST = 3

/** Kilobits per second by the index in a header: MPEG-1 layer III, and MPEG-2 and 2.5 layer III. */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
/** Hertz, by the two bits of the version. */
const SAMPLE_RATES: Readonly<Record<number, readonly number[]>> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
}
const LAYER_THREE = 1
const MONO = 3

export interface Mp3Frame {
  /** Hertz. */
  sampleRate: number
  channels: number
  /** Kilobits per second. */
  bitRate: number
  /** Bytes, header included. */
  length: number
}

/** Return the frame that begins at an offset; null if none does. */
export function frameAt(bytes: Uint8Array, at: number): Mp3Frame | null {
  const [sync, second, third, fourth] = bytes.subarray(at, at + 4)
  if (sync !== 0xff || second === undefined || third === undefined || fourth === undefined || (second & 0xe0) !== 0xe0) return null
  const version = (second >> 3) & 3
  if (((second >> 1) & 3) !== LAYER_THREE) return null
  const sampleRate = SAMPLE_RATES[version]?.[(third >> 2) & 3]
  const bitRate = BIT_RATES[version === 3 ? 0 : 1][third >> 4]
  if (sampleRate === undefined || !bitRate) return null
  const padding = (third >> 1) & 1
  return {
    sampleRate,
    bitRate,
    channels: fourth >> 6 === MONO ? 1 : 2,
    length: Math.floor(((version === 3 ? 144 : 72) * bitRate * 1000) / sampleRate) + padding,
  }
}

/** Return the offset of the sound, after a tag with title and the like. */
function beginOfSound(bytes: Uint8Array): number {
  const text = String.fromCharCode(...bytes.subarray(0, 3))
  if (text !== 'ID3' || bytes.length < 10) return 0
  // A size has seven bits a byte, so that no tag looks like a frame.
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  const footer = (bytes[5]! & 0x10) === 0 ? 0 : 10
  let at = 10 + size + footer
  while (at < bytes.length && bytes[at] === 0) at++
  return at
}

/** Return the frames at the beginning, each directly after the previous one. */
export function framesOf(bytes: Uint8Array, most = FRAMES_CHECKED): Mp3Frame[] {
  const frames: Mp3Frame[] = []
  for (let at = beginOfSound(bytes); frames.length < most;) {
    const frame = frameAt(bytes, at)
    // The last frame may be truncated.
    if (frame === null || at + frame.length > bytes.length) break
    frames.push(frame)
    at += frame.length
  }
  return frames
}

/** Return what is wrong with a sound, as the rule that its field violates; null if terminals can play it. */
export function faultOfMp3(bytes: Uint8Array): Pick<FieldIssue, 'rule' | 'params'> | null {
  const frames = framesOf(bytes)
  if (frames.length < FRAMES_LEAST) return { rule: 'mp3' }
  if (frames.some(({ sampleRate }) => sampleRate !== AUDIO_SAMPLE_RATE))
    return { rule: 'sampleRate', params: { limit: AUDIO_SAMPLE_RATE, found: frames[0]!.sampleRate } }
  if (frames.some(({ channels }) => channels !== AUDIO_CHANNELS)) return { rule: 'mono' }
  const other = frames.find(({ bitRate }) => bitRate !== AUDIO_BIT_RATE)
  return other === undefined ? null : { rule: 'bitRate', params: { limit: AUDIO_BIT_RATE, found: other.bitRate } }
}
