/** A simulated card. It answers commands as in PC/SC part 3 and ISO/IEC 7816-4, as far as they are used here, and records the exchange. */
import { createDecipheriv } from 'node:crypto'
import { APPLICATION } from '../apdu/cpu.ts'

const OK = '9000'
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

export interface FakeCard {
  readonly number: string
  /** Commands and answers, one after the other. */
  readonly said: [command: string, answer: string][]
  transmit(apdus: readonly string[]): Promise<string[]>
}

/** Return a simulated card with an answer to each command; it gives none while `away`. */
function fake(number: string, answer: (command: Buffer) => string): FakeCard & { away: boolean } {
  const said: [string, string][] = []
  const card = {
    number,
    said,
    away: false,
    async transmit(apdus: readonly string[]) {
      if (card.away) return []
      return apdus.map((text) => {
        const command = Buffer.from(text, 'hex')
        const answered = text === 'FFCA000000' ? number + OK : answer(command)
        said.push([text, answered])
        return answered
      })
    },
  }
  return card
}

export interface FakeM1 extends FakeCard {
  away: boolean
  /** Blocks by their number; 16 bytes each. */
  readonly blocks: Map<number, Buffer>
}

/** Return a MIFARE Classic card with its first sectors; sector 1 as it comes */
export function fakeM1(number = '04A1B2C3', trailer = `FFFFFFFFFFFF${'FF078069'}FFFFFFFFFFFF`): FakeM1 {
  const blocks = new Map<number, Buffer>([4, 5, 6].map((block) => [block, Buffer.alloc(16)]))
  blocks.set(7, Buffer.from(trailer, 'hex'))
  let loaded = Buffer.alloc(6)
  let open: 'a' | 'b' | null = null
  /** Return whether key A still permits everything in the sector, which is the meaning of the access bits FF0780. */
  const isTransport = (): boolean => blocks.get(7)!.subarray(6, 9).equals(Buffer.from('FF0780', 'hex'))

  const card = fake(number, (command) => {
    const [cla, ins, , p2] = command as unknown as [number, number, number, number]
    if (cla !== 0xff) return '6E00'
    if (ins === 0x82) {
      loaded = Buffer.from(command.subarray(5, 11))
      return OK
    }
    if (ins === 0x86) {
      const key = command[8] === 0x60 ? blocks.get(7)!.subarray(0, 6) : blocks.get(7)!.subarray(10, 16)
      open = loaded.equals(key) ? (command[8] === 0x60 ? 'a' : 'b') : null
      return open === null ? '6300' : OK
    }
    if (open === null || !blocks.has(p2)) return '6982'
    if (ins === 0xb0) {
      const shown = Buffer.from(blocks.get(p2)!)
      // Keys cannot be read.
      if (p2 === 7) shown.fill(0, 0, 6).fill(0, 10, 16)
      return hex(shown) + OK
    }
    if (ins !== 0xd6) return '6D00'
    if (open === 'a' && !isTransport()) return '6982'
    blocks.set(p2, Buffer.from(command.subarray(5, 21)))
    return OK
  })
  return Object.assign(card, { blocks })
}

export interface FakeCpu extends FakeCard {
  away: boolean
  file(): Buffer
  key(): Buffer
}

/** Return a CPU card with the application of key cards; its key */
export function fakeCpu(number = '08C0FFEE', { key = Buffer.alloc(16, 0xff), tries = 3, application = APPLICATION } = {}): FakeCpu {
  let current = Buffer.from(key)
  let file = Buffer.alloc(32)
  let challenge: Buffer | null = null
  let selected = false
  let proven = false
  let left = tries
  let counted = 0
  const card = fake(number, (command) => {
    const [cla, ins, p1, p2] = command as unknown as [number, number, number, number]
    if (cla !== 0) return '6E00'
    const data = command.subarray(5, 5 + (command[4] ?? 0))
    if (ins === 0xa4) {
      selected = data.equals(application)
      proven = false
      return selected ? `6F00${OK}` : '6A82'
    }
    if (!selected) return '6A82'
    if (ins === 0x84) {
      challenge = Buffer.alloc(16, ++counted)
      return hex(challenge) + OK
    }
    if (ins === 0x82) {
      if (left === 0) return '6983'
      const decipher = createDecipheriv('aes-128-ecb', current, null).setAutoPadding(false)
      proven = challenge !== null && Buffer.concat([decipher.update(data), decipher.final()]).equals(challenge)
      challenge = null
      left = proven ? tries : left - 1
      return proven ? OK : `63C${left}`
    }
    if (!proven) return '6982'
    if (ins === 0xd6 && p1 === 0x81) file = Buffer.from(data)
    else if (ins === 0xb0 && p1 === 0x81) return hex(file) + OK
    else if (ins === 0x24 && p1 === 1 && p2 === 0x81) current = Buffer.from(data)
    else return '6D00'
    return OK
  })
  return Object.assign(card, { file: () => file, key: () => current })
}
