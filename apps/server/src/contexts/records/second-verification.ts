/** The second verification: the server's own decision on a passage, by the same rules and its current data. */
import {
  accessDeviceOf,
  decide,
  evidenceReported,
  type AccessPerson,
  type Decision,
  type Evidence,
  type ComparedFaces,
} from '@gatehouse/access-rules'
import type { OutputOf } from '@gatehouse/contract'
import type { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { Manifest } from '@gatehouse/contract/device/protocol-manifest'
import { failReason } from '@gatehouse/contract/enums'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import type { SynchronisationService } from '../synchronisation/index.ts'

type Question = OutputOf<(typeof deviceProtocolCalls)['verify']['body']>
type Answer = OutputOf<(typeof deviceProtocolCalls)['verify']['data']>
/**
 * Decide a passage that a device asks about.
 * @param gone whether the device no longer waits: an answer it does not receive must not count
 */
export type Verify = (device: DevicePrincipal, question: Question, isAbandoned?: () => boolean) => Promise<Answer>

/** Largest difference between the moment of a passage and now; an older one is a replay. */
const ASKABLE_MS = 5 * 60_000

/**
 * Decide as the device would, without the second verification, which this is, and without liveness, mask, helmet and temperature,
 * which only the device measures.
 * @param covers whether a strategy covers the person here
 * @param comparedFaces what the device compares faces with
 */
export function decideAtServer(
  { revision, settings, strategies, timeRules }: Manifest,
  person: AccessPerson,
  covers: (strategyId: string) => boolean,
  moment: number,
  evidence: Evidence,
  comparedFaces: ComparedFaces,
): Decision {
  return decide({
    revision,
    device: { ...accessDeviceOf(settings, comparedFaces), secondVerification: null, liveness: null, wear: null, temperature: null },
    moment,
    evidence,
    person,
    strategies: strategies.filter(({ id }) => covers(id)),
    timeRules: new Map(timeRules.map((rule) => [rule.id, rule])),
  })
}

export function createVerify(
  now: () => number,
  { people, faces, restrictions, passes }: Pick<RecordDependencies, 'people' | 'faces' | 'restrictions' | 'passes'>,
  synchronisation: SynchronisationService,
): Verify {
  return async (device, { personId, moment, method, score, contactId = null, passId }, isAbandoned = () => false) => {
    if (Math.abs(now() - moment) > ASKABLE_MS) return { allowed: false, failReason: failReason.cloudRefused }
    const scope = { parkId: device.parkId }
    // A person of a linked park is read from their home park.
    const home = { parkId: synchronisation.view.homeOf(scope, personId) }
    const [manifest, [facts], matching, contacts] = await Promise.all([
      synchronisation.manifest(device),
      people.facts(home, [personId]),
      faces.matching.of(home, [personId]),
      people.contactsNamed(home, contactId === null || !isUuid(contactId) ? [] : [contactId]),
    ])
    // Terminals do not store persons of the watch list: the answer is the same as for an unknown person.
    if (facts === undefined || facts.kind === 'special') throw new NotFound()
    // A contact who was removed since cannot come in the person's place.
    if (contactId !== null && contacts.get(contactId)?.personId !== personId)
      return { allowed: false, failReason: failReason.noAccessStrategy }
    const { threshold = null, loosens = false } = matching.get(personId) ?? {}
    const person = { ...facts, faceThreshold: threshold, faceThresholdLoosens: loosens }
    const covers = (strategyId: string) => synchronisation.view.covers(scope, strategyId, personId)
    const decision = decideAtServer(
      manifest,
      person,
      covers,
      moment,
      evidenceReported({ method, personId, contactId, score, moment }),
      synchronisation.comparedFaces(device),
    )
    if (decision.verdict !== 'allowed') return { allowed: false, failReason: decision.failReason }
    const usedPass = { allowed: false, failReason: failReason.qrCode }
    const use = passId === undefined ? null : { id: passId, personId, deviceId: device.deviceId, moment }
    if (use !== null && !(await passes.isUsable(scope, use))) return usedPass
    // After all else, since a person it lets through is counted.
    const answer = await restrictions.ask(
      scope,
      { deviceId: device.deviceId, direction: manifest.settings.direction, personId, moment },
      isAbandoned,
    )
    if (answer?.allowed === false) return answer
    // A device that waits no longer decides by itself and reports the use with its record.
    if (use !== null && !isAbandoned() && !(await passes.use(scope, use))) return usedPass
    return answer ?? { allowed: true, failReason: null }
  }
}
