/** The server's own decision on a passage a terminal asks about: on what it knows now, by the same rules. */
import { accessDeviceOf, decide, evidenceReported, type AccessPerson, type Decision, type Evidence } from '@gatehouse/access-rules'
import type { OutputOf } from '@gatehouse/contract'
import type { deviceProtocolCalls, Manifest } from '@gatehouse/contract/device/protocol'
import { failReason } from '@gatehouse/contract/enums'
import { NotFound } from '../../platform/refusal.ts'
import type { DevicePrincipal } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'
import type { SynchronisationService } from './synchronisation/service.ts'

type Question = OutputOf<(typeof deviceProtocolCalls)['verify']['body']>
export type Verify = (device: DevicePrincipal, question: Question) => Promise<{ allowed: boolean; failReason: number | null }>

/** A passage may be asked about for so long; an older one is a replay. */
const ASKABLE_MS = 5 * 60_000

/** Decides as the device would, but for the second verification, which this is, and for the living face, which only the device sees. @param covers strategies that cover the person here */
export function decideAtServer({ revision, settings, strategies, timeRules }: Manifest, person: AccessPerson, covers: (strategyId: string) => boolean, moment: number, evidence: Evidence): Decision {
  return decide({
    revision,
    device: accessDeviceOf({ ...settings, secondVerification: null, liveness: null }),
    moment,
    evidence,
    person,
    strategies: strategies.filter(({ id }) => covers(id)),
    timeRules: new Map(timeRules.map((rule) => [rule.id, rule])),
  })
}

export function createVerify(now: () => number, { people, faces }: Pick<AccessDependencies, 'people' | 'faces'>, synchronisation: SynchronisationService): Verify {
  return async (device, { personId, moment, method, score }) => {
    if (Math.abs(now() - moment) > ASKABLE_MS) return { allowed: false, failReason: failReason.cloudRefused }
    const scope = { parkId: device.parkId }
    const [manifest, [facts], matching] = await Promise.all([synchronisation.manifest(device), people.facts(scope, [personId]), faces.matching.of(scope, [personId])])
    if (facts === undefined) throw new NotFound()
    const person = { ...facts, faceThreshold: matching.get(personId)?.threshold ?? null }
    const covers = (strategyId: string) => synchronisation.view.covers(scope, strategyId, personId)
    const decision = decideAtServer(manifest, person, covers, moment, evidenceReported({ method, personId, score, moment }))
    return { allowed: decision.verdict === 'allowed', failReason: decision.failReason }
  }
}
