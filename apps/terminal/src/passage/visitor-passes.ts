/**
 * QR passes of visitors, verified without the server. A pass is genuine if a key of this park signed it. It admits its person between its
 * two instants, as long as the person is stored here with the id of the pass, and once only if it is for one use.
 */
import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { PersonFactor } from '@gatehouse/access-rules'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { isPassText, passEntry, readPass, type PassKey, type VisitorPass } from '@gatehouse/contract/device/visitor-pass'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { UsedPasses } from '../store/used-passes.ts'

export interface VisitorPasses {
  /** Return the pass that a text is; null for a text that is none, or that no key of this park signed. */
  genuine(text: string): VisitorPass | null
  /** Return the person to whom a code points, and whether it holds at the instant it was shown, epoch milliseconds. */
  factorOf(text: string, seenAt: number): PersonFactor
  /** Store that a pass for one use admitted. */
  noteUse(pass: VisitorPass): void
}

export interface VisitorPassOptions {
  holdings: Pick<SearchableHoldings, 'credentials' | 'person' | 'settings'>
  used: Pick<UsedPasses, 'has' | 'add'>
  log: (sentence: string) => void
}

export function createVisitorPasses({ holdings, used, log }: VisitorPassOptions): VisitorPasses {
  const { credentials } = holdings
  /** Used passes that could not be written. */
  const unwritten = new Set<string>()
  const keyOf = createKeyRing(() => holdings.settings())

  function genuine(text: string): VisitorPass | null {
    const read = readPass(text)
    const key = read && keyOf(read.pass.keyId)
    return key && verify(null, read.signed, key, read.signature) ? read.pass : null
  }

  return {
    genuine,
    factorOf(text, seenAt) {
      if (!isPassText(text)) {
        const personId = credentials.holderOf('qrCode', text)
        return { personId, matched: personId !== null, seenAt }
      }
      const wrong: PersonFactor = { personId: null, matched: false, seenAt }
      const pass = genuine(text)
      if (pass === null || seenAt < pass.validFrom || seenAt > pass.validTo) return wrong
      if (pass.oneUse && (unwritten.has(pass.id) || used.has(pass.id))) return wrong
      // A genuine pass of nobody: the visitor has left, or may not pass here.
      if (holdings.person(pass.personId) === undefined) return { personId: null, matched: true, seenAt }
      const isInForce = credentials.holderOf('qrCode', passEntry(pass.id)) === pass.personId
      return isInForce ? { personId: pass.personId, matched: true, seenAt } : wrong
    },
    noteUse({ id, validTo }) {
      try {
        used.add(id, validTo)
      } catch (error) {
        unwritten.add(id)
        log(`A used pass could not be written: ${error instanceof Error ? error.message : String(error)}. It is refused until a restart.`)
      }
    },
  }
}

/** Return a function that finds the public key of an id; null if the settings in force have none. */
function createKeyRing(settings: () => DeviceSettings | null): (id: string) => KeyObject | null {
  const parsed = new Map<string, KeyObject>()
  const parse = ({ key }: PassKey): KeyObject | null => {
    const before = parsed.get(key)
    if (before) return before
    try {
      const made = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
      parsed.set(key, made)
      return made
    } catch {
      return null
    }
  }
  return (id) => {
    const found = settings()?.passKeys?.find((each) => each.id === id)
    return found ? parse(found) : null
  }
}
