/** Readers on recorded frames, as they arrive over the line: cut anywhere, with noise between them. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { until } from '../device/testing/folder.ts'
import { handprintParser } from './handprint.ts'
import { idCardParser } from './id-card.ts'
import type { FrameParser, ReaderEvent } from './reader.ts'
import { namedReader, serialReader } from './serial.ts'
import { wiegandNumber, wiegandParser } from './wiegand.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'))
const xor = (of: Uint8Array) => of.reduce((all, byte) => all ^ byte, 0)

/** Read a frame at once, byte by byte, and after noise and half a frame. */
function readInEveryWay(parser: () => FrameParser, frame: Uint8Array): ReaderEvent[][] {
  const whole = parser()
  const single = parser()
  const noisy = parser()
  return [
    whole.push(frame),
    [...frame].flatMap((byte) => single.push(Uint8Array.of(byte))),
    [bytes('00 ff 02 13'), frame.subarray(0, frame.length - 3), frame].flatMap((part) => noisy.push(part)),
  ]
}

/** Facility 123, card 45678: 01111011 1011001001101110 between even and odd parity. */
const WIEGAND_26 = '1 01111011 1011001001101110 1'.replaceAll(' ', '')
/** 0x499602D2 is 1,234,567,890. */
const WIEGAND_34 = `1${(0x499602d2).toString(2).padStart(32, '0')}0`

test('Wiegand: 26 and 34 bits with right parity are the number between them, and nothing else is', () => {
  expect(wiegandNumber(WIEGAND_26)).toBe(String(123 * 65_536 + 45_678))
  expect(wiegandNumber(WIEGAND_34)).toBe('1234567890')
  for (let at = 0; at < 26; at++) {
    const flipped = WIEGAND_26.slice(0, at) + (WIEGAND_26[at] === '1' ? '0' : '1') + WIEGAND_26.slice(at + 1)
    expect(wiegandNumber(flipped)).toBeNull()
  }
  for (const other of ['', '1', WIEGAND_26.slice(1), `${WIEGAND_26}0`, 'x'.repeat(26)]) expect(wiegandNumber(other)).toBeNull()
})

test('Wiegand: no two numbers become one card [FIELD-25]', () => {
  const framed = (number: number) => {
    const bits = number.toString(2).padStart(24, '0')
    const ones = (text: string) => text.split('1').length - 1
    return `${ones(bits.slice(0, 12)) % 2}${bits}${(ones(bits.slice(12)) + 1) % 2}`
  }
  const numbers = Array.from({ length: 4_096 }, (_, place) => place * 4_095)
  expect(new Set(numbers.map((number) => wiegandNumber(framed(number)))).size).toBe(numbers.length)
})

test('Wiegand: the frames of a converter, recorded', () => {
  const packed = (bits: string) => {
    const body = Uint8Array.from([
      bits.length,
      ...Array.from({ length: Math.ceil(bits.length / 8) }, (_, place) =>
        Number.parseInt(bits.slice(place * 8, place * 8 + 8).padEnd(8, '0'), 2),
      ),
    ])
    return Uint8Array.from([0x02, ...body, xor(body), 0x03])
  }
  expect(Buffer.from(packed(WIEGAND_26)).toString('hex')).toBe(
    '021abdd93740' + xor(bytes('1abdd93740')).toString(16).padStart(2, '0') + '03',
  )
  for (const read of readInEveryWay(wiegandParser, packed(WIEGAND_26))) expect(read).toContainEqual({ kind: 'card', number: '8106606' })
  for (const read of readInEveryWay(wiegandParser, packed(WIEGAND_34))) expect(read).toContainEqual({ kind: 'card', number: '1234567890' })
  const broken = packed(WIEGAND_26)
  broken[3]! ^= 0x10
  expect(wiegandParser().push(broken)).toEqual([])
})

/** A card as the reader sends it: text of 256 bytes, then the picture. */
function idCardFrame(number: string, name: string, picture: Uint8Array): Uint8Array {
  const text = Buffer.alloc(256, Buffer.from(' ', 'utf16le'))
  text.write(name.padEnd(15), 0, 'utf16le')
  text.write('1', 30, 'utf16le')
  text.write('01', 32, 'utf16le')
  text.write('19900307', 36, 'utf16le')
  text.write(number.padEnd(18), 122, 'utf16le')
  const word = (value: number) => [value >> 8, value & 0xff]
  const content = [0x00, 0x00, 0x90, ...word(text.length), ...word(picture.length), ...text, ...picture]
  const checked = Uint8Array.from([...word(content.length + 1), ...content])
  return Uint8Array.from([0xaa, 0xaa, 0xaa, 0x96, 0x69, ...checked, xor(checked)])
}

test('ID card: number, name and picture of a recorded card; answers that are none say nothing', () => {
  const jpeg = bytes('ffd8ffe000104a464946')
  const card = { kind: 'idCard', number: '11010119900307123X', name: '张三丰', portrait: jpeg }
  for (const read of readInEveryWay(() => idCardParser(), idCardFrame('11010119900307123X', '张三丰', jpeg)))
    expect(read).toContainEqual(card)
  const packedPicture = idCardFrame('11010119900307123X', '张三丰', bytes('574c6600'))
  expect(idCardParser().push(packedPicture)).toEqual([{ ...card, portrait: null }])
  expect(idCardParser({ portraitOf: () => jpeg }).push(packedPicture)).toEqual([card])
  // "No card", which the reader sends ten times a second.
  const parser = idCardParser()
  expect(parser.push(bytes('aaaaaa9669 0004 000080 84'))).toEqual([])
  expect(parser.push(idCardFrame('11010119900307123X', '张三丰', jpeg))).toEqual([card])
  const broken = idCardFrame('11010119900307123X', '张三丰', jpeg)
  broken[140]! ^= 1
  expect(idCardParser().push(broken)).toEqual([])
  expect(idCardParser().push(idCardFrame('1101', '张三丰', jpeg))).toEqual([])
})

/** A packet of the module. */
function packet(kind: number, content: readonly number[]): Uint8Array {
  const counted = [kind, 0, content.length + 2, ...content]
  const sum = counted.reduce((all, byte) => all + byte, 0)
  return Uint8Array.from([0xef, 0x01, 0xff, 0xff, 0xff, 0xff, ...counted, sum >> 8, sum & 0xff])
}

test('hand: the data packets of a module up to the last are one template', () => {
  const [answer, first, last] = [packet(0x07, [0x00]), packet(0x02, [1, 2, 3, 0xef, 0x01]), packet(0x08, [4, 5])]
  const template = Buffer.from([1, 2, 3, 0xef, 0x01, 4, 5]).toString('base64')
  const recorded = Uint8Array.from([...answer, ...first, ...last])
  for (const read of [readInEveryWay(handprintParser, recorded)[0]!, readInEveryWay(handprintParser, recorded)[1]!])
    expect(read).toEqual([{ kind: 'handprint', template }])
  const parser = handprintParser()
  expect(parser.push(first)).toEqual([])
  // A new answer: the packets before it belong to no template.
  expect(parser.push(Uint8Array.from([...answer, ...last]))).toEqual([
    { kind: 'handprint', template: Buffer.from([4, 5]).toString('base64') },
  ])
  const broken = packet(0x08, [9, 9])
  broken[9]! ^= 1
  expect(handprintParser().push(broken)).toEqual([])
})

test('a line that ends is opened again, and half a frame of before is nothing', async () => {
  const lines = [new PassThrough(), new PassThrough()]
  let opened = 0
  const read: ReaderEvent[] = []
  const reader = serialReader({ open: () => lines[opened++]!, parser: wiegandParser, again: 1 })
  reader.start((event) => void read.push(event))
  const frame = bytes('021abdd93740')
  const end = Uint8Array.of(xor(bytes('1abdd93740')), 0x03)
  lines[0]!.write(frame)
  lines[0]!.destroy(new Error('unplugged'))
  await until('it was opened again', () => opened === 2)
  lines[1]!.write(end)
  lines[1]!.write(Uint8Array.from([...frame, ...end]))
  await until('the card was read', () => read.length > 0)
  expect(read).toEqual([{ kind: 'card', number: '8106606' }])
  reader.stop()
})

test('readers are named by kind and device file', () => {
  expect(namedReader('wiegand:/dev/ttyUSB0', () => {})).not.toBeNull()
  for (const text of ['', 'wiegand', 'wiegand:', 'unknown:/dev/ttyUSB0']) expect(namedReader(text, () => {})).toBeNull()
})
