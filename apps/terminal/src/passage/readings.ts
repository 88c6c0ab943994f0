/**
 * What was shown, as evidence. One thing shown can mean several: a password is the door's or somebody's, a face beside an ID card is
 * compared with the person's photographs or with the portrait on the card. Each meaning is a reading; the decision tells which holds.
 */
import type { Evidence, Factor, FaceEvidence, PersonFactor } from '@gatehouse/access-rules'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import { distanceOf, distanceOfScore, leadOf, scoreOf, type EngineDescription } from '@gatehouse/face-engine'
import type { FaceMatch, SearchableHoldings } from '../store/holdings.ts'
import type { Input, SeenFace, Shown } from './inputs.ts'

export interface Reading {
  evidence: Evidence
  /** 0..100 of the face that was compared; null where none was. */
  score: number | null
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
  /** All that the inputs can mean; the same factor is never shown twice. */
  readings(shown: readonly Shown[], settings: DeviceSettings): Reading[]
  /** Whether a password is the door's, somebody's, or that of the card shown. */
  knowsPassword(password: string, shown: readonly Shown[]): boolean
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
    const [card, idCard, idNumber, qrCode, handprint] = [find(shown, 'card'), find(shown, 'idCard'), find(shown, 'idNumber'), find(shown, 'qrCode'), find(shown, 'handprint')]
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
  function faceEvidence({ embedding, livenessScore }: SeenFace, seenAt: number, evidence: Evidence, settings: DeviceSettings): FaceEvidence {
    const liveness = livenessOf({ livenessScore })
    const [nearest, next] = holdings.nearest(embedding)
    const among: FaceEvidence = {
      personId: nearest?.personId ?? null,
      ...ofContact(nearest),
      score: nearest ? scoreOf(calibration, nearest.distance) : 0,
      distance: nearest?.distance,
      runnerUp: next ? { personId: next.personId, score: scoreOf(calibration, next.distance), lead: leadOf(calibration, nearest!.distance, next.distance) } : null,
      liveness,
      seenAt,
    }
    const personId = NAMING.map((factor) => evidence[factor] as PersonFactor | undefined).find((factor) => factor?.matched && factor.personId !== null)?.personId ?? null
    if (personId === null) return among
    const compared = holdings.nearestOf(personId, embedding)
    const distance = compared?.distance ?? null
    const own: FaceEvidence = { personId, ...ofContact(compared), score: distance === null ? 0 : scoreOf(calibration, distance), ...(distance !== null && { distance }), liveness, seenAt }
    const reaches = ({ personId: id, score }: FaceEvidence) => (score ?? 0) >= ((id === null ? null : holdings.person(id)?.faceThreshold) ?? settings.threshold)
    // The face of somebody else who is known here is that one's, whatever was shown beside it.
    return !reaches(own) && among.personId !== personId && (among.score ?? 0) >= settings.threshold ? { ...among, runnerUp: null } : own
  }

  function withFace(evidence: Evidence, shown: readonly Shown[], settings: DeviceSettings): Reading[] {
    const seen = find(shown, 'face')
    if (!seen) return [{ evidence, score: null }]
    const face = faceEvidence(seen.face, seen.seenAt, evidence, settings)
    const readings: Reading[] = [{ evidence: { ...evidence, face }, score: face.personId === null ? null : (face.score ?? null) }]
    const portrait = find(shown, 'idCard')?.portrait ?? null
    if (portrait) {
      const distance = distanceOf({ modelId, embedding: portrait }, { modelId, embedding: seen.face.embedding })
      const idPortrait = { matched: distance <= distanceOfScore(calibration, settings.threshold), liveness: livenessOf(seen.face), seenAt: seen.seenAt }
      readings.push({ evidence: { ...evidence, idPortrait }, score: scoreOf(calibration, distance) })
    }
    return readings
  }

  return {
    readings: (shown, settings) => withPassword(things(shown), shown).flatMap((evidence) => withFace(evidence, shown, settings)),
    knowsPassword: (password, shown) =>
      withPassword(things(shown), [...shown.filter(({ input }) => input.kind !== 'password'), { input: { kind: 'password', password }, seenAt: 0 }]).some(
        ({ personalPassword, devicePassword }) => personalPassword?.matched === true || devicePassword?.matched === true,
      ),
  }
}

/** Whose contact's face it is, where it is one's. */
const ofContact = (match: Pick<FaceMatch, 'contactId'> | null | undefined) => (match?.contactId == null ? {} : { contactId: match.contactId })
const livenessOf = ({ livenessScore }: Pick<SeenFace, 'livenessScore'>) => (livenessScore === undefined ? null : { score: livenessScore })
const genuine = (personId: string | null, seenAt: number): PersonFactor => ({ personId, matched: true, seenAt })
const known = (personId: string | null, seenAt: number): PersonFactor => ({ personId, matched: personId !== null, seenAt })
