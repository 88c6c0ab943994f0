/** Writing cards, command by command: recorded exchanges with a card that answers according to the published standards. */
import { describe, expect, test } from 'vitest'
import { CardRefused } from './apdu/apdu.ts'
import { APPLICATION } from './apdu/cpu.ts'
import { cardKeyOfCpu, checkValueOf, keyOf, sectorKeysOf } from './derivation.ts'
import { fakeCpu, fakeM1, type FakeCard } from './testing/card.ts'
import { readSerialNumber, writeCard, type CardToWrite } from './writer.ts'

const LEADER = Buffer.from('00112233445566778899AABBCCDDEEFF', 'hex')
const upper = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

const M1: CardToWrite = { cardType: 0, content: { kind: 'main', area: '31010', key: keyOf(LEADER, 'main') }, transportKey: null }
const CPU: CardToWrite = { ...M1, cardType: 1 }

async function written(card: FakeCard, toWrite: CardToWrite): Promise<string> {
  const number = await readSerialNumber((apdus) => card.transmit(apdus))
  await writeCard((apdus) => card.transmit(apdus), toWrite, number)
  return number
}
const refusalOf = async (card: FakeCard, toWrite: CardToWrite): Promise<string> => {
  const error = await written(card, toWrite).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CardRefused)
  return (error as CardRefused).why
}

describe('keys', () => {
  test('follow from the leader key under labels of their own, and a card’s from its serial number', () => {
    // Computed independently of this program: RFC 5869 with SHA-256, no salt, the labels as documented.
    expect(upper(keyOf(LEADER, 'main'))).toBe('7C824C439504C44DC6076E7012495B3F')
    expect(upper(keyOf(LEADER, 'init'))).toBe('C6EC9EA2A1BF43070D7D2E18A1A1AB1F')
    expect(upper(keyOf(Buffer.from('0011223344556677', 'hex'), 'main'))).toBe('32A33A7E019EB4A6BB50830479684577')
    expect(checkValueOf(LEADER)).toBe('2D1630')
    const { a, b } = sectorKeysOf(LEADER, '04A1B2C3')
    expect([upper(a), upper(b)]).toEqual(['73413027D4BC', 'ED9A95A45F24'])
    expect(upper(cardKeyOfCpu(LEADER, '08C0FFEE'))).toBe('C73A97B1EFBC65E3D6310F95A7F53EB1')
  })
})

describe('an M1 card', () => {
  test('from the factory takes the key, and its sector opens by keys of its own from then on', async () => {
    const card = fakeM1()
    expect(await written(card, M1)).toBe('04A1B2C3')
    const { a, b } = sectorKeysOf(M1.content.key, card.number)
    const [head, body] = ['47484B3102100531010F000000000000', upper(M1.content.key)]
    expect(card.said).toEqual([
      ['FFCA000000', '04A1B2C39000'],
      ['FF82000006FFFFFFFFFFFF', '9000'],
      ['FF860000050100076000', '9000'],
      [`FFD6000410${head}`, '9000'],
      [`FFD6000510${body}`, '9000'],
      ['FFB0000410', `${head}9000`],
      ['FFB0000510', `${body}9000`],
      [`FFD6000710${upper(a)}78778869${upper(b)}`, '9000'],
    ])
  })

  test('that was written before opens by its own key and is written anew', async () => {
    const card = fakeM1()
    await written(card, M1)
    card.said.length = 0
    await written(card, { ...M1, content: { ...M1.content, area: '44' } })
    expect(card.said.slice(1, 5).map(([command, answer]) => [command.slice(0, 4), answer])).toEqual([
      ['FF82', '9000'],
      ['FF86', '6300'],
      ['FF82', '9000'],
      ['FF86', '9000'],
    ])
    expect(upper(card.blocks.get(4)!)).toBe('47484B3102100244000000000000000000'.slice(0, 32))
  })

  test('of another maker opens by the key it came with', async () => {
    const own = 'A0A1A2A3A4A5'
    const card = fakeM1('0499', `${own}FF078069${own}`)
    expect(await refusalOf(card, M1)).toBe('authentication')
    await written(card, { ...M1, transportKey: Buffer.from(own, 'hex') })
    expect(upper(card.blocks.get(5)!)).toBe(upper(M1.content.key))
  })

  test('that does not keep what is written, goes away or is none says so', async () => {
    const forgetful = fakeM1()
    forgetful.blocks.set = () => forgetful.blocks
    expect(await refusalOf(forgetful, M1)).toBe('verify')
    const gone = fakeM1()
    gone.away = true
    expect(await refusalOf(gone, M1)).toBe('reader')
    expect(await refusalOf(fakeCpu(), M1)).toBe('unsuitable')
  })
})

describe('a CPU card', () => {
  test('takes the key after its writer has shown the one it came with', async () => {
    const card = fakeCpu()
    await written(card, CPU)
    const own = cardKeyOfCpu(CPU.content.key, card.number)
    const content = `47484B31021005${'31010F'}000000000000${upper(CPU.content.key)}`
    expect(card.said).toEqual([
      ['FFCA000000', '08C0FFEE9000'],
      [`00A4040008${upper(APPLICATION)}00`, '6F009000'],
      ['0084000010', `${'01'.repeat(16)}9000`],
      // AES-128 of sixteen bytes 01 under sixteen bytes FF.
      [expect.stringMatching(/^0082008110[0-9A-F]{32}$/), '9000'],
      [`00D6810020${content}`, '9000'],
      ['00B0810020', `${content}9000`],
      [`0024018110${upper(own)}`, '9000'],
    ])
    expect(card.key()).toEqual(own)
  })

  test('that was written before is written anew by its own key, each try under a challenge of its own', async () => {
    const card = fakeCpu()
    await written(card, CPU)
    await written(card, { ...CPU, content: { ...CPU.content, kind: 'init' } })
    expect(card.file()[4]).toBe(3)
    expect(card.said.filter(([command]) => command === '0084000010').map(([, answer]) => answer.slice(0, 2))).toEqual(['01', '02', '03'])
  })

  test('with other keys, without tries, or of another application is refused with its reason', async () => {
    const key = Buffer.alloc(16, 7)
    expect(await refusalOf(fakeCpu('08', { key }), CPU)).toBe('authentication')
    expect(await refusalOf(fakeCpu('08', { key, tries: 1 }), CPU)).toBe('blocked')
    expect(await refusalOf(fakeCpu('08', { application: Buffer.from('A000000003', 'hex') }), CPU)).toBe('unsuitable')
    expect(await refusalOf(fakeM1(), CPU)).toBe('unsuitable')
  })
})
