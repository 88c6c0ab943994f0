/** Decisions of a simulated device about the people who come: by the rules of a terminal, from what it stores. */
import {
  accessDeviceOf,
  decide,
  encodeChecks,
  type AccessPerson,
  type AccessStrategy,
  type Decision,
  type SecondVerification,
} from '@gatehouse/access-rules'
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { recordedScore } from '@gatehouse/contract/score'
import { BUILTIN_ENGINE, distanceOfScore } from '@gatehouse/face-engine'
import type { SimulatedHoldings } from './holdings.ts'

/** A person in front of a device. */
export interface Visitor {
  /** Null for a person whom nobody knows. */
  personId: string | null
  /** Similarity of the face to the person's, from 0; it may exceed 100. */
  score: number
  /** Epoch milliseconds, by the device's clock. */
  moment: number
}

/** A person as a device stored them at an earlier moment. */
export interface StoredThen {
  person: AccessPerson & { name: string }
  strategies: readonly AccessStrategy[]
}

export interface PassageOptions {
  hasPicture?: boolean
  /** The person that the device stored at that moment, where it no longer stores them, or stores them differently. */
  storedThen?: StoredThen
  /** The server's answer, where the server decides and was asked. */
  secondVerification?: SecondVerification
}

export type UnnumberedRecord = Omit<RecordObject, 'seq'>

export interface Passage {
  decision: Decision
  record: UnnumberedRecord
}

/** Return the passage. @returns null before the first settings: there is nothing yet to decide by */
export function passageOf(holdings: SimulatedHoldings, { personId, score, moment }: Visitor, options: PassageOptions = {}): Passage | null {
  const settings = holdings.settings()
  if (settings === null) return null
  const { hasPicture = false, storedThen, secondVerification } = options
  const stored = storedThen ?? (personId === null ? null : storedNow(holdings, personId))
  const person = stored?.person ?? null
  const decision = decide({
    revision: holdings.revision(),
    device: accessDeviceOf(settings, { templates: holdings.templates(), loosest: BUILTIN_ENGINE.calibration.recommended.door }),
    moment,
    evidence: {
      face: { personId: person?.id ?? null, score, distance: distanceOfScore(BUILTIN_ENGINE.calibration, score) },
      ...(secondVerification && { secondVerification }),
    },
    person,
    strategies: stored?.strategies ?? [],
    timeRules: holdings.timeRules(),
  })
  const record: UnnumberedRecord = {
    occurredAt: moment,
    personId: decision.personId,
    personName: decision.personId === null ? '' : (person?.name ?? ''),
    result: decision.verdict === 'allowed' ? accessResult.allowed : accessResult.rejected,
    failReason: decision.failReason,
    verifyType: verifyType.face,
    direction: settings.direction,
    score: recordedScore(score),
    checks: encodeChecks(decision.checks),
    revision: decision.revision,
    hasPicture,
  }
  return { decision, record }
}

function storedNow(holdings: SimulatedHoldings, personId: string): StoredThen | null {
  const person = holdings.person(personId)
  if (person === undefined || holdings.exceptions().has(personId)) return null
  return { person, strategies: holdings.strategiesOf(personId) }
}
