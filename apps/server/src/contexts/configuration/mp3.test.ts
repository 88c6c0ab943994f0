import { expect, test } from 'vitest'
import { faultOfMp3, frameAt, framesOf } from './mp3.ts'
import { sound } from './testing/files.ts'

test('a head tells sample rate, channels, bit rate and where the next one stands', () => {
  // MPEG-1 layer III, 128 kbps, 44100 Hz, padded, mono.
  expect(frameAt(Uint8Array.of(0xff, 0xfb, 0x92, 0xc0), 0)).toEqual({ sampleRate: 44_100, channels: 1, bitRate: 128, length: 418 })
  // MPEG-2 layer III, 64 kbps, 22050 Hz, stereo.
  expect(frameAt(Uint8Array.of(0xff, 0xf3, 0x80, 0x00), 0)).toEqual({ sampleRate: 22_050, channels: 2, bitRate: 64, length: 208 })
})

test.each([
  ['another beginning', [0xfe, 0xfb, 0x92, 0xc0]],
  ['layer II', [0xff, 0xfd, 0x92, 0xc0]],
  ['a version nobody uses', [0xff, 0xeb, 0x92, 0xc0]],
  ['a bit rate without a number', [0xff, 0xfb, 0xf2, 0xc0]],
  ['a free bit rate', [0xff, 0xfb, 0x02, 0xc0]],
  ['a sample rate without a number', [0xff, 0xfb, 0x9e, 0xc0]],
  ['a head that breaks off', [0xff, 0xfb, 0x92]],
])('no frame begins with %s', (_, bytes) => {
  expect(frameAt(Uint8Array.from(bytes), 0)).toBeNull()
})

test('a tag before the sound is passed over, also one that looks like sound', () => {
  expect(framesOf(sound({ tag: 300 }))).toHaveLength(20)
  expect(faultOfMp3(sound({ tag: 70_000 }))).toBeNull()
})

test('frames are looked at, not names: each fault is told by what it is', () => {
  expect(faultOfMp3(sound())).toBeNull()
  expect(faultOfMp3(sound({ layer: 2 }))).toEqual({ rule: 'mp3' })
  expect(faultOfMp3(sound({ frames: 2 }))).toEqual({ rule: 'mp3' })
  expect(faultOfMp3(Buffer.alloc(0))).toEqual({ rule: 'mp3' })
  expect(faultOfMp3(Buffer.from('RIFF….WAVEfmt '.repeat(100)))).toEqual({ rule: 'mp3' })
  expect(faultOfMp3(sound({ sampleRate: 1 }))).toEqual({ rule: 'sampleRate', params: { limit: 44_100, found: 48_000 } })
  expect(faultOfMp3(sound({ mode: 0 }))).toEqual({ rule: 'mono' })
  expect(faultOfMp3(sound({ bitRate: 11 }))).toEqual({ rule: 'bitRate', params: { limit: 128, found: 192 } })
})

test('a bit rate that changes on the way is none of 128 kbps', () => {
  expect(faultOfMp3(Buffer.concat([sound({ frames: 4 }), sound({ frames: 4, bitRate: 5 })]))).toEqual({
    rule: 'bitRate',
    params: { limit: 128, found: 64 },
  })
})
