/** Writing of one card on a writer: which commands follow which answers. `Transmit` stands for the connection to the card. */
import type { ValueOf } from '@gatehouse/contract/enums/definition'
import { keyCardType } from '@gatehouse/contract/enums/devices'
import { CardRefused, dataOf, hexOf } from './apdu/apdu.ts'
import { bodyOf, headOf, type CardContent } from './apdu/content.ts'
import * as cpu from './apdu/cpu.ts'
import * as mifare from './apdu/mifare.ts'
import { cardKeyOfCpu, sectorKeysOf } from './derivation.ts'

/** Sends commands to the card in order and returns its answers. @throws CardRefused if it does not answer */
export type Transmit = (apdus: string[]) => Promise<string[]>

export interface CardToWrite {
  cardType: ValueOf<typeof keyCardType>
  content: CardContent
  /** The manufacturer's key; null: the usual key, all bits one. */
  transportKey: Uint8Array | null
}

const ALL_ONES = { [keyCardType.m1]: Buffer.alloc(6, 0xff), [keyCardType.cpu]: Buffer.alloc(16, 0xff) } as const

/** Return the serial number of the card on the writer, as upper-case */
export async function readSerialNumber(transmit: Transmit): Promise<string> {
  const [answer] = await transmit([mifare.serialNumber()])
  const number = dataOf(answer)
  if (number.length === 0) throw new CardRefused('reader')
  return hexOf(number)
}

/** Return the data of all answers, each of which must be successful. @throws CardRefused with the first that is not */
async function done(transmit: Transmit, apdus: string[]): Promise<Buffer[]> {
  const answers = await transmit(apdus)
  return apdus.map((_, at) => dataOf(answers[at]))
}

/** Return whether a key was accepted. @throws CardRefused for any other failure */
async function opens(transmit: Transmit, apdus: string[]): Promise<boolean> {
  try {
    await done(transmit, apdus)
    return true
  } catch (error) {
    if (error instanceof CardRefused && error.why === 'authentication') return false
    throw error
  }
}

function assertSame(found: Buffer, content: CardContent): void {
  if (!found.equals(Buffer.concat([headOf(content), bodyOf(content)]))) throw new CardRefused('verify')
}

async function writeM1(transmit: Transmit, { content, transportKey }: CardToWrite, number: string): Promise<void> {
  const keys = sectorKeysOf(content.key, number)
  // A card that was written before opens with its own key.
  const isOpen =
    (await opens(transmit, mifare.openFresh(transportKey ?? ALL_ONES[keyCardType.m1]))) ||
    (await opens(transmit, mifare.openWritten(keys.b)))
  if (!isOpen) throw new CardRefused('authentication')
  const [, , head, body] = await done(transmit, mifare.write(content))
  assertSame(Buffer.concat([head!, body!]), content)
  await done(transmit, mifare.close(keys))
}

async function writeCpu(transmit: Transmit, { content, transportKey }: CardToWrite, number: string): Promise<void> {
  const own = cardKeyOfCpu(content.key, number)
  /** Return whether the card accepts the key. Each attempt needs a new challenge. */
  const proves = async (key: Uint8Array): Promise<boolean> => {
    const [, challenge] = await done(transmit, cpu.begin())
    if (challenge!.length !== cpu.CHALLENGE_BYTES) throw new CardRefused('unsuitable')
    return opens(transmit, cpu.prove(key, challenge!))
  }
  if (!(await proves(transportKey ?? ALL_ONES[keyCardType.cpu])) && !(await proves(own))) throw new CardRefused('authentication')
  const [, found] = await done(transmit, cpu.write(content))
  assertSame(found!, content)
  await done(transmit, cpu.close(own))
}

/** Write the card of this serial number. @throws CardRefused with the reason */
export const writeCard = (transmit: Transmit, card: CardToWrite, number: string): Promise<void> =>
  card.cardType === keyCardType.m1 ? writeM1(transmit, card, number) : writeCpu(transmit, card, number)
