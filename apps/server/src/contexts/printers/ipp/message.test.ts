/** Messages of the Internet Printing Protocol: their bytes, and those of wrong ones. */
import { expect, test } from 'vitest'
import { decodeMessage, encodeMessage, groupTag, MalformedMessage } from './message.ts'
import { reasonsOf } from './printer.ts'
import { isAllowedAddress, printerUriOf } from './transport.ts'

const text = (value: string): string => Buffer.from(value).toString('hex')

test('a request has the bytes that RFC 8010 shows in its first example', () => {
  const bytes = encodeMessage({
    operation: 0x0002,
    requestId: 1,
    groups: [
      {
        tag: groupTag.operation,
        attributes: [
          ['charset', 'attributes-charset', 'utf-8'],
          ['language', 'attributes-natural-language', 'en-us'],
          ['uri', 'printer-uri', 'ipp://printer.example.com/ipp/print/pinetree'],
          ['name', 'job-name', 'foobar'],
          ['boolean', 'ipp-attribute-fidelity', 1],
        ],
      },
      {
        tag: groupTag.job,
        attributes: [
          ['integer', 'copies', 20],
          ['keyword', 'sides', 'two-sided-long-edge'],
        ],
      },
    ],
    document: Buffer.from('%!PDF...'),
  })
  const expected = [
    '0101 0002 00000001 01',
    `47 0012 ${text('attributes-charset')} 0005 ${text('utf-8')}`,
    `48 001b ${text('attributes-natural-language')} 0005 ${text('en-us')}`,
    `45 000b ${text('printer-uri')} 002c ${text('ipp://printer.example.com/ipp/print/pinetree')}`,
    `42 0008 ${text('job-name')} 0006 ${text('foobar')}`,
    `22 0016 ${text('ipp-attribute-fidelity')} 0001 01`,
    '02',
    `21 0006 ${text('copies')} 0004 00000014`,
    `44 0005 ${text('sides')} 0013 ${text('two-sided-long-edge')}`,
    `03 ${text('%!PDF...')}`,
  ].join(' ')
  expect(bytes.toString('hex')).toBe(expected.replaceAll(' ', ''))
})

test('an answer is read with all values of an attribute, texts with a language, and values of other types left out', () => {
  const bytes = Buffer.from(
    [
      '0101 0000 00000007 01',
      `47 0012 ${text('attributes-charset')} 0005 ${text('utf-8')}`,
      '04',
      `44 0003 ${text('abc')} 0001 ${text('x')}`,
      `44 0000 0001 ${text('y')}`,
      `36 0004 ${text('name')} 0009 0002 ${text('en')} 0003 ${text('Ink')}`,
      `13 0005 ${text('empty')} 0000`,
      `23 0001 ${text('s')} 0004 00000005`,
      '03',
    ]
      .join('')
      .replaceAll(' ', ''),
    'hex',
  )
  const { status, requestId, attributes } = decodeMessage(bytes)
  expect([status, requestId]).toEqual([0, 7])
  expect(Object.fromEntries(attributes.get(groupTag.printer)!)).toEqual({ abc: ['x', 'y'], name: ['Ink'], empty: [], s: [5] })
})

test.each([
  ['nothing', ''],
  ['a version of another protocol', '48 54 0000 00000001 03'],
  ['no end', '0101 0000 00000001 01'],
  ['a value longer than the message', '0101 0000 00000001 01 44 0001 61 ffff 61'],
  ['an attribute outside of all groups', '0101 0000 00000001 44 0001 61 0001 61 03'],
  ['a further value without a first one', '0101 0000 00000001 01 44 0000 0001 61 03'],
  ['a number of two bytes', '0101 0000 00000001 02 21 0001 61 0002 0001 03'],
])('an answer with %s is malformed', (_, hex) => {
  expect(() => decodeMessage(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toThrow(MalformedMessage)
})

test('an answer of any bytes is read or malformed, and never anything else', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const bytes = Buffer.from(Array.from({ length: 60 }, (_, at) => (at === 0 ? 1 : (seed * 31 + at * at * 7 + seed * at) % 256)))
    try {
      decodeMessage(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedMessage)
    }
  }
})

test('states of a printer are put into words, reports and harmless warnings left out', () => {
  expect(reasonsOf(['none'])).toEqual([])
  expect(reasonsOf(['media-empty-error', 'media-needed', 'toner-low-warning', 'paused', 'spool-area-full-error'])).toEqual([
    'mediaEmpty',
    'paused',
    'attention',
  ])
  expect(reasonsOf(['offline-report', 'door-open'])).toEqual(['coverOpen'])
})

test('a printer is named by the scheme and port of the protocol, whatever its address is written as', () => {
  expect(printerUriOf('ipp://printer.example.org/ipp/print')).toBe('ipp://printer.example.org:631/ipp/print')
  expect(printerUriOf('https://[2001:db8::1]/ipp')).toBe('ipps://[2001:db8::1]:443/ipp')
})

test.each([
  ['127.0.0.1', true],
  ['192.168.4.20', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['169.254.169.254', false],
  ['::ffff:169.254.169.254', false],
  ['fe80::1', false],
  ['239.1.1.1', false],
  ['255.255.255.255', false],
])('whether requests are sent to %s: %s', (address, isAllowed) => {
  expect(isAllowedAddress(address)).toBe(isAllowed)
})
