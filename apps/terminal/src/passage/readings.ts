/**
 * Readings of inputs as evidence. One input can have several meanings: a password is the door's or a person's; a face beside an ID card is
 * compared with the person's photographs or with the portrait on the card; the face of a mother is that of a contact of each of her
 * children. Each meaning is a reading, and the decision finds which one holds.
 */
import type { Evidence, PersonFactor } from '@gatehouse/access-rules'
import { distanceOf, distanceOfScore, scoreOf, type EngineDescription } from '@gatehouse/face-engine'
import type { VisitorPass } from '@gatehouse/contract/device/visitor-pass'
import type { SearchableHoldings } from '../store/holdings.ts'
import { createFaceReader, livenessOf } from './face-readings.ts'
import type { Input, Shown } from './inputs.ts'
import type { NumberedInput } from './number-throttle.ts'
import type { VisitorPasses } from './visitor-passes.ts'

export interface Reading {
  evidence: Evidence
  /** Score of the compared face, from 0; null if none was compared. */
  score: number | null
  /** False if the face is nearer to another person it may belong to. */
  isNearest: boolean
}

export interface ReadingOptions {
  holdings: Pick<SearchableHoldings, 'credentials' | 'nearest' | 'nearestOf' | 'person'>
  engine: Pick<EngineDescription, 'modelId' | 'calibration'>
  /** Return whether a text is the password of this door. */
  isDevicePassword: (password: string) => boolean
  passes: Pick<VisitorPasses, 'factorOf' | 'genuine'>
}

type InputOf<Kind extends Input['kind']> = Extract<Input, { kind: Kind }>

export interface Reader {
  /**
   * Return all readings of the inputs; none contains the same factor twice. @param threshold the score this door requires of a face at
   * present
   */
  readings(shown: readonly Shown[], threshold: number): Reading[]
  /** Return whether a password is the door's, a person's, or that of the card shown. */
  knowsPassword(password: string, shown: readonly Shown[]): boolean
  /** Return whether a person stored here has this card, ID card, number, code or hand. A genuine pass counts too: nobody can guess one. */
  isRegistered(input: NumberedInput): boolean
  /** Return the genuine pass among the inputs; null if none is. */
  passAmong(shown: readonly Shown[]): VisitorPass | null
}

export function createReader({ holdings, engine, isDevicePassword, passes }: ReadingOptions): Reader {
  const { credentials } = holdings
  const { calibration, modelId } = engine
  const readFace = createFaceReader({ holdings, engine })

  /** Return the persons that readers identify. A genuine card unknown here is a stranger's; an unknown code or hand may be anything. */
  function readersEvidence(shown: readonly Shown[]): Evidence {
    const evidence: Evidence = {}
    const [card, idCard, idNumber, qrCode, handprint] = [
      find(shown, 'card'),
      find(shown, 'idCard'),
      find(shown, 'idNumber'),
      find(shown, 'qrCode'),
      find(shown, 'handprint'),
    ]
    if (card) evidence.card = genuine(credentials.holderOf('card', card.number), card.seenAt)
    if (idCard) evidence.idCard = genuine(credentials.holderOf('idNumber', idCard.number), idCard.seenAt)
    if (idNumber) evidence.idNumber = matchedIfNamed(credentials.holderOf('idNumber', idNumber.number), idNumber.seenAt)
    if (qrCode) evidence.qrCode = passes.factorOf(qrCode.text, qrCode.seenAt)
    if (handprint) evidence.handprint = matchedIfNamed(credentials.holderOf('handprint', handprint.template), handprint.seenAt)
    return evidence
  }

  /** Add the password. Beside a card, the card's own password counts if it has one; otherwise that of the person. */
  function withPassword(evidence: Evidence, shown: readonly Shown[]): Evidence[] {
    const typed = find(shown, 'password')
    if (!typed) return [evidence]
    const { password, seenAt } = typed
    const carrier = evidence.card?.personId ?? null
    const ofCard = carrier === null ? null : credentials.isCardPassword(carrier, password)
    if (ofCard !== null) return [{ ...evidence, personalPassword: { personId: ofCard ? carrier : null, matched: ofCard, seenAt } }]
    const factor = matchedIfNamed(credentials.holderOf('personalPassword', password), seenAt)
    const devicePassword = { matched: isDevicePassword(password), seenAt }
    return [
      { ...evidence, personalPassword: factor },
      { ...evidence, smartPersonalPassword: factor },
      { ...evidence, devicePassword },
    ]
  }

  function withFace(evidence: Evidence, shown: readonly Shown[], threshold: number): Reading[] {
    const seen = find(shown, 'face')
    if (!seen) return [{ evidence, score: null, isNearest: true }]
    const readings = readFace(seen.face, seen.seenAt, evidence, threshold).map(({ face, ...reading }): Reading => ({
      ...reading,
      evidence: { ...evidence, face },
    }))
    const portrait = find(shown, 'idCard')?.portrait ?? null
    if (portrait) {
      const distance = distanceOf({ modelId, embedding: portrait }, { modelId, embedding: seen.face.embedding })
      const idPortrait = {
        matched: distance <= distanceOfScore(calibration, threshold),
        liveness: livenessOf(seen.face),
        seenAt: seen.seenAt,
      }
      readings.push({ evidence: { ...evidence, idPortrait }, score: scoreOf(calibration, distance), isNearest: true })
    }
    return readings
  }

  function passAmong(shown: readonly Shown[]): VisitorPass | null {
    const code = find(shown, 'qrCode')
    return code && passes.genuine(code.text)
  }

  return {
    readings: (shown, threshold) => withPassword(readersEvidence(shown), shown).flatMap((evidence) => withFace(evidence, shown, threshold)),
    knowsPassword: (password, shown) =>
      withPassword(readersEvidence(shown), [
        ...shown.filter(({ input }) => input.kind !== 'password'),
        { input: { kind: 'password', password }, seenAt: 0 },
      ]).some(({ personalPassword, devicePassword }) => personalPassword?.matched === true || devicePassword?.matched === true),
    passAmong,
    isRegistered: (input) =>
      passAmong([{ input, seenAt: 0 }]) !== null ||
      Object.values(readersEvidence([{ input, seenAt: 0 }])).some((named) => (named as PersonFactor).personId !== null),
  }
}

/** Return the input of a kind; null if there is none. */
function find<Kind extends Input['kind']>(shown: readonly Shown[], kind: Kind): (InputOf<Kind> & { seenAt: number }) | null {
  const found = shown.find(({ input }) => input.kind === kind)
  return found ? { ...(found.input as InputOf<Kind>), seenAt: found.seenAt } : null
}

const genuine = (personId: string | null, seenAt: number): PersonFactor => ({ personId, matched: true, seenAt })
const matchedIfNamed = (personId: string | null, seenAt: number): PersonFactor => ({ personId, matched: personId !== null, seenAt })
