/**
 * What was shown, as evidence. One thing shown can mean several: a password is the door's or somebody's, a face beside an ID card is
 * compared with the person's photographs or with the portrait on the card, and a mother's is that of a contact of each of her children.
 * Each meaning is a reading; the decision tells which holds.
 */
import { thresholdFor } from '@gatehouse/access-rules'
import type { Evidence, Factor, FaceEvidence, PersonFactor } from '@gatehouse/access-rules'
import { distanceOf, distanceOfScore, leadOf, scoreOf, type EngineDescription } from '@gatehouse/face-engine'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { Input, SeenFace, Shown } from './inputs.ts'
import type { NumberedInput } from './number-throttle.ts'
import { whoseFace, type Candidate } from './whose-face.ts'

export interface Reading {
  evidence: Evidence
  /** Of the face that was compared, from 0; null where none was. */
  score: number | null
  /** False for a face that is as well somebody's to whom it comes nearer. */
  isNearest: boolean
}

export interface ReadingOptions {
  holdings: Pick<SearchableHoldings, 'credentials' | 'nearest' | 'nearestOf' | 'person'>
  engine: Pick<EngineDescription, 'modelId' | 'calibration'>
  /** Whether a text is the password of this door. */
  isDevicePassword: (password: string) => boolean
}

type InputOf<Kind extends Input['kind']> = Extract<Input, { kind: Kind }>
/** What names a person whose face is then compared with that one's alone. */
const NAMING: readonly Factor[] = ['card', 'idCard', 'qrCode', 'handprint', 'smartPersonalPassword']

export interface Reader {
  /** All that the inputs can mean; the same factor is never shown twice. @param threshold the score this door asks of a face now */
  readings(shown: readonly Shown[], threshold: number): Reading[]
  /** Whether a password is the door's, somebody's, or that of the card shown. */
  knowsPassword(password: string, shown: readonly Shown[]): boolean
  /** Whether somebody held here has this card, ID card, number, code or hand. */
  isHeld(input: NumberedInput): boolean
}

export function createReader({ holdings, engine, isDevicePassword }: ReadingOptions): Reader {
  const { credentials } = holdings
  const { calibration, modelId } = engine

  const find = <Kind extends Input['kind']>(shown: readonly Shown[], kind: Kind): (InputOf<Kind> & { seenAt: number }) | null => {
    const found = shown.find(({ input }) => input.kind === kind)
    return found ? { ...(found.input as InputOf<Kind>), seenAt: found.seenAt } : null
  }

  /** Who is named by what a reader read. What is genuine and of nobody here is a stranger's; a code or a hand of nobody may be anything. */
  function things(shown: readonly Shown[]): Evidence {
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
    if (idNumber) evidence.idNumber = known(credentials.holderOf('idNumber', idNumber.number), idNumber.seenAt)
    if (qrCode) evidence.qrCode = known(credentials.holderOf('qrCode', qrCode.text), qrCode.seenAt)
    if (handprint) evidence.handprint = known(credentials.holderOf('handprint', handprint.template), handprint.seenAt)
    return evidence
  }

  /** Beside a card its own password counts, where it has one; else that of the person. */
  function withPassword(evidence: Evidence, shown: readonly Shown[]): Evidence[] {
    const typed = find(shown, 'password')
    if (!typed) return [evidence]
    const { password, seenAt } = typed
    const carrier = evidence.card?.personId ?? null
    const ofCard = carrier === null ? null : credentials.isCardPassword(carrier, password)
    if (ofCard !== null) return [{ ...evidence, personalPassword: { personId: ofCard ? carrier : null, matched: ofCard, seenAt } }]
    const factor = known(credentials.holderOf('personalPassword', password), seenAt)
    const devicePassword = { matched: isDevicePassword(password), seenAt }
    return [
      { ...evidence, personalPassword: factor },
      { ...evidence, smartPersonalPassword: factor },
      { ...evidence, devicePassword },
    ]
  }

  /** A face that names somebody is searched for among all; where something else does, it is compared with that one's. */
  function facesIn(
    { embedding, livenessScore }: SeenFace,
    seenAt: number,
    evidence: Evidence,
    threshold: number,
  ): (Omit<Reading, 'evidence'> & { face: FaceEvidence })[] {
    const besides = { liveness: livenessOf({ livenessScore }), seenAt }
    const whose = whoseFace(holdings, embedding)
    const found = ({ personId, contactId, distance }: Candidate): FaceEvidence => ({
      personId,
      ...ofContact(contactId),
      score: scoreOf(calibration, distance),
      distance,
      ...besides,
    })
    /** It is the human who has to lead, by the face that comes nearest, for whomever he comes. */
    const runnerUpOf = (candidate: Candidate, nearest: Candidate): FaceEvidence['runnerUp'] => {
      const rival = whose?.rivalOf(candidate) ?? null
      return (
        rival && {
          personId: rival.personId,
          score: scoreOf(calibration, rival.distance),
          lead: leadOf(calibration, nearest.distance, rival.distance),
        }
      )
    }
    const named =
      NAMING.map((factor) => evidence[factor] as PersonFactor | undefined).find((factor) => factor?.matched && factor.personId !== null)
        ?.personId ?? null
    if (named === null) {
      if (whose === null) return [{ face: { personId: null, score: 0, runnerUp: null, ...besides }, score: null, isNearest: true }]
      return whose.same.map((candidate) => {
        const face = { ...found(candidate), runnerUp: runnerUpOf(candidate, whose.nearest) }
        return { face, score: face.score, isNearest: candidate === whose.nearest }
      })
    }
    const compared = holdings.nearestOf(named, embedding)
    const own: FaceEvidence = compared ? found({ personId: named, ...compared }) : { personId: named, score: 0, ...besides }
    const nearest = whose && found(whose.nearest)
    const reaches = (own.score ?? 0) >= thresholdFor(holdings.person(named), threshold)
    // The face of somebody else who is known here is that one's, whatever was shown beside it.
    const isElse =
      !reaches && nearest !== null && whose!.same.every(({ personId }) => personId !== named) && (nearest.score ?? 0) >= threshold
    const face = isElse ? { ...nearest, runnerUp: null } : own
    return [{ face, score: face.score, isNearest: true }]
  }

  function withFace(evidence: Evidence, shown: readonly Shown[], threshold: number): Reading[] {
    const seen = find(shown, 'face')
    if (!seen) return [{ evidence, score: null, isNearest: true }]
    const readings = facesIn(seen.face, seen.seenAt, evidence, threshold).map(({ face, ...reading }): Reading => ({
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

  return {
    readings: (shown, threshold) => withPassword(things(shown), shown).flatMap((evidence) => withFace(evidence, shown, threshold)),
    knowsPassword: (password, shown) =>
      withPassword(things(shown), [
        ...shown.filter(({ input }) => input.kind !== 'password'),
        { input: { kind: 'password', password }, seenAt: 0 },
      ]).some(({ personalPassword, devicePassword }) => personalPassword?.matched === true || devicePassword?.matched === true),
    isHeld: (input) => Object.values(things([{ input, seenAt: 0 }])).some((named) => (named as PersonFactor).personId !== null),
  }
}

/** Whose contact's face it is, where it is one's. */
const ofContact = (contactId: string | null) => (contactId === null ? {} : { contactId })
const livenessOf = ({ livenessScore }: Pick<SeenFace, 'livenessScore'>) => (livenessScore === undefined ? null : { score: livenessScore })
const genuine = (personId: string | null, seenAt: number): PersonFactor => ({ personId, matched: true, seenAt })
const known = (personId: string | null, seenAt: number): PersonFactor => ({ personId, matched: personId !== null, seenAt })
