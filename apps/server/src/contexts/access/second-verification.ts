/** The server's own decision on a passage a terminal asks about: on what it knows now, by the same rules. */
import { decide } from '@gatehouse/access-rules'
import type { OutputOf } from '@gatehouse/contract'
import type { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { failReason } from '@gatehouse/contract/enums'
import { NotFound } from '../../platform/refusal.ts'
import type { DevicePrincipal } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'
import type { SynchronisationService } from './synchronisation/service.ts'

type Question = OutputOf<(typeof deviceProtocolCalls)['verify']['body']>
export type Verify = (device: DevicePrincipal, question: Question) => Promise<{ allowed: boolean; failReason: number | null }>

/** A passage may be asked about for so long; an older one is a replay. */
const ASKABLE_MS = 5 * 60_000

export function createVerify(now: () => number, { people }: Pick<AccessDependencies, 'people'>, synchronisation: SynchronisationService): Verify {
  return async (device, { personId, moment, score }) => {
    if (Math.abs(now() - moment) > ASKABLE_MS) return { allowed: false, failReason: failReason.cloudRefused }
    const scope = { parkId: device.parkId }
    const [manifest, [person]] = await Promise.all([synchronisation.manifest(device), people.facts(scope, [personId])])
    if (person === undefined) throw new NotFound()
    const { settings, strategies, timeRules, revision } = manifest
    const decision = decide({
      revision,
      device: { id: settings.deviceId, direction: settings.direction, zone: settings.zone, thresholds: { face: settings.threshold } },
      moment,
      evidence: { face: { personId, score } },
      person,
      strategies: strategies.filter(({ id }) => synchronisation.view.personsOf(scope, id).includes(personId)),
      timeRules: new Map(timeRules.map((rule) => [rule.id, rule])),
    })
    return { allowed: decision.verdict === 'allowed', failReason: decision.failReason }
  }
}
