/** The server's own decision on a passage a terminal asks about: on what it knows now, by the same rules. */
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
import type { deviceProtocolCalls, Manifest } from '@gatehouse/contract/device/protocol'
import { failReason } from '@gatehouse/contract/enums'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import type { SynchronisationService } from '../synchronisation/index.ts'

type Question = OutputOf<(typeof deviceProtocolCalls)['verify']['body']>
type Answer = OutputOf<(typeof deviceProtocolCalls)['verify']['data']>
/** @param gone whether the device waits no longer: what it is not told must not count */
export type Verify = (device: DevicePrincipal, question: Question, gone?: () => boolean) => Promise<Answer>

/** A passage may be asked about for so long; an older one is a replay. */
const ASKABLE_MS = 5 * 60_000

/** Decides as the device would, but for the second verification, which this is, and for the living face, mask, helmet and temperature, which only the device sees. @param covers strategies that cover the person here @param held what the device compares faces with */
export function decideAtServer(
  { revision, settings, strategies, timeRules }: Manifest,
  person: AccessPerson,
  covers: (strategyId: string) => boolean,
  moment: number,
  evidence: Evidence,
  held: ComparedFaces,
): Decision {
  return decide({
    revision,
    device: { ...accessDeviceOf(settings, held), secondVerification: null, liveness: null, wear: null, temperature: null },
    moment,
    evidence,
    person,
    strategies: strategies.filter(({ id }) => covers(id)),
    timeRules: new Map(timeRules.map((rule) => [rule.id, rule])),
  })
}

export function createVerify(
  now: () => number,
  { people, faces, restrictions }: Pick<RecordDependencies, 'people' | 'faces' | 'restrictions'>,
  synchronisation: SynchronisationService,
): Verify {
  return async (device, { personId, moment, method, score, contactId = null }, gone = () => false) => {
    if (Math.abs(now() - moment) > ASKABLE_MS) return { allowed: false, failReason: failReason.cloudRefused }
    const scope = { parkId: device.parkId }
    // A person of a linked park is read where he is registered.
    const home = { parkId: synchronisation.view.homeOf(scope, personId) }
    const [manifest, [facts], matching, contacts] = await Promise.all([
      synchronisation.manifest(device),
      people.facts(home, [personId]),
      faces.matching.of(home, [personId]),
      people.contactsNamed(home, contactId === null || !isUuid(contactId) ? [] : [contactId]),
    ])
    // Persons of the watch list are known to no terminal: the answer tells none of them from nobody.
    if (facts === undefined || facts.kind === 'special') throw new NotFound()
    // Whoever was taken off the person's contacts since is nobody who comes in his place.
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
    // Last, since whoever it lets through is counted.
    const answer = await restrictions.ask(
      scope,
      { deviceId: device.deviceId, direction: manifest.settings.direction, personId, moment },
      gone,
    )
    return answer ?? { allowed: true, failReason: null }
  }
}
