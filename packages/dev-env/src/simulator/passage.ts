/** What a simulated device decides about those who come: by the rules a terminal decides by, on what it holds. */
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
import type { RecordObject } from '@gatehouse/contract/device/protocol'
import { recordedScore } from '@gatehouse/contract/score'
import { BUILTIN_ENGINE, distanceOfScore } from '@gatehouse/face-engine'
import type { SimulatedHoldings } from './holdings.ts'

/** Somebody in front of a device. */
export interface Visitor {
  /** Null for somebody nobody knows. */
  personId: string | null
  /** From 0, how alike the face is to the person's; it may pass 100. */
  score: number
  /** Epoch milliseconds, by the device's clock. */
  moment: number
}

/** A person as a device once held him. */
export interface HeldThen {
  person: AccessPerson & { name: string }
  strategies: readonly AccessStrategy[]
}

export interface PassageOptions {
  hasPicture?: boolean
  /** Whom the device held at that moment, where it holds him no longer or otherwise. */
  heldThen?: HeldThen
  /** What the server said, where it has the last word and was asked. */
  secondVerification?: SecondVerification
}

export type UnnumberedRecord = Omit<RecordObject, 'seq'>

export interface Passage {
  decision: Decision
  record: UnnumberedRecord
}

/** @returns null before the first settings: there is nothing yet to decide by */
export function passageOf(holdings: SimulatedHoldings, { personId, score, moment }: Visitor, options: PassageOptions = {}): Passage | null {
  const settings = holdings.settings()
  if (settings === null) return null
  const { hasPicture = false, heldThen, secondVerification } = options
  const held = heldThen ?? (personId === null ? null : heldNow(holdings, personId))
  const person = held?.person ?? null
  const decision = decide({
    revision: holdings.revision(),
    device: accessDeviceOf(settings, { templates: holdings.templates(), loosest: BUILTIN_ENGINE.calibration.recommended.door }),
    moment,
    evidence: {
      face: { personId: person?.id ?? null, score, distance: distanceOfScore(BUILTIN_ENGINE.calibration, score) },
      ...(secondVerification && { secondVerification }),
    },
    person,
    strategies: held?.strategies ?? [],
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

function heldNow(holdings: SimulatedHoldings, personId: string): HeldThen | null {
  const person = holdings.person(personId)
  if (person === undefined || holdings.exceptions().has(personId)) return null
  return { person, strategies: holdings.strategiesOf(personId) }
}
