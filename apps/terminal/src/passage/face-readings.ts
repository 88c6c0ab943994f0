/** Readings of the face before the camera, beside the other evidence. */
import { thresholdFor } from '@gatehouse/access-rules'
import type { Evidence, Factor, FaceEvidence, PersonFactor } from '@gatehouse/access-rules'
import { leadOf, scoreOf, type EngineDescription } from '@gatehouse/face-engine'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { SeenFace } from './inputs.ts'
import { ownerOfFace, type Candidate } from './face-owner.ts'

export interface FaceReading {
  face: FaceEvidence
  /** Score of the compared face, from 0; null if none was compared. */
  score: number | null
  /** False if the face is nearer to another person it may belong to. */
  isNearest: boolean
}

export interface FaceReadingOptions {
  holdings: Pick<SearchableHoldings, 'nearest' | 'nearestOf' | 'person'>
  engine: Pick<EngineDescription, 'calibration'>
}

/** Factors that identify a person; the face is then compared with that person's alone. */
const NAMING: readonly Factor[] = ['card', 'idCard', 'qrCode', 'handprint', 'smartPersonalPassword']

/**
 * Return a reader of faces. A face that is to identify a person is searched for among all; if another factor identifies the person, it is
 * compared with that person's faces. The reader's `threshold` is the score this door requires of a face at present.
 */
export function createFaceReader({
  holdings,
  engine: { calibration },
}: FaceReadingOptions): (face: SeenFace, seenAt: number, evidence: Evidence, threshold: number) => FaceReading[] {
  return ({ embedding, livenessScore }, seenAt, evidence, threshold) => {
    const besides = { liveness: livenessOf({ livenessScore }), seenAt }
    const owner = ownerOfFace(holdings, embedding)
    const evidenceOf = ({ personId, contactId, distance }: Candidate): FaceEvidence => ({
      personId,
      ...ofContact(contactId),
      score: scoreOf(calibration, distance),
      distance,
      ...besides,
    })
    /** The margin is computed from the human's nearest face, for whichever person they come. */
    const runnerUpOf = (candidate: Candidate, nearest: Candidate): FaceEvidence['runnerUp'] => {
      const rival = owner?.rivalOf(candidate) ?? null
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
      if (owner === null) return [{ face: { personId: null, score: 0, runnerUp: null, ...besides }, score: null, isNearest: true }]
      return owner.same.map((candidate) => {
        const face = { ...evidenceOf(candidate), runnerUp: runnerUpOf(candidate, owner.nearest) }
        return { face, score: face.score, isNearest: candidate === owner.nearest }
      })
    }
    const compared = holdings.nearestOf(named, embedding)
    const own: FaceEvidence = compared ? evidenceOf({ personId: named, ...compared }) : { personId: named, score: 0, ...besides }
    const nearest = owner && evidenceOf(owner.nearest)
    const reaches = (own.score ?? 0) >= thresholdFor(holdings.person(named), threshold)
    // A face that belongs to another person stored here counts as theirs, whatever was shown beside it.
    const isOfAnother =
      !reaches && nearest !== null && owner!.same.every(({ personId }) => personId !== named) && (nearest.score ?? 0) >= threshold
    const face = isOfAnother ? { ...nearest, runnerUp: null } : own
    return [{ face, score: face.score, isNearest: true }]
  }
}

/** The contact's id, if the face is a contact's. */
const ofContact = (contactId: string | null) => (contactId === null ? {} : { contactId })

export const livenessOf = ({ livenessScore }: Pick<SeenFace, 'livenessScore'>) =>
  livenessScore === undefined ? null : { score: livenessScore }
