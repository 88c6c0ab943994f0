/** The view of the registers of all parks. */
import { isFaceAlone } from '@gatehouse/access-rules'
import type { Scope } from '../../platform/session/session.ts'
import { mayReceive, type Audience } from './audience.ts'
import type { Registers } from './registers.ts'
import type { AudienceState, SynchronisationView } from './view.ts'

export function createRegisterView(registers: Pick<Registers, 'register'>): SynchronisationView {
  function stateOf(scope: Scope, deviceId: string): AudienceState | null {
    const register = registers.register(scope)
    const audience = register.audienceOf(deviceId)
    if (audience === undefined) return null
    const { head, compareSeq, updatedAt } = audience.published
    return { id: audience.id, head, compareSeq, updatedAt, strategyIds: audience.strategyIds, persons: register.personCount(audience.id) }
  }

  return {
    devicesOf: (scope, strategyId) => registers.register(scope).devicesOf(strategyId),
    personsOf: (scope, strategyId) => registers.register(scope).personsOf(strategyId),
    covers: (scope, strategyId, personId) => registers.register(scope).covers(strategyId, personId),
    isCovered: (scope, personId) => registers.register(scope).isCovered(personId),
    audienceOf: stateOf,
    audienceReceivedBy(device) {
      const audience = stateOf({ parkId: device.parkId }, device.deviceId)
      return audience !== null && mayReceive(device, audience) ? audience : null
    },
    holds: (scope, audienceId, personId) => registers.register(scope).holds(audienceId, personId),
    knowsContacts: (scope, audienceId, personId) => registers.register(scope).knowsContacts(audienceId, personId),
    homeOf: (scope, personId) => registers.register(scope).homeOf(personId),
    personsFrom: (scope, home) => registers.register(scope).personsFrom(home),
    homes: (scope) => registers.register(scope).homes(),
    personsOfAudience: (scope, audienceId) => registers.register(scope).personsOfAudience(audienceId),
    doorGroups(scope) {
      const register = registers.register(scope)
      const groups = Map.groupBy(register.devices(), ({ id }) => register.audienceOf(id)?.id ?? '')
      return [...groups].flatMap(([id, devices]) => (id === '' ? [] : [{ id, devices, personIds: register.personsOfAudience(id) }]))
    },
    doorsByFaceAlone(scope) {
      const register = registers.register(scope)
      const methodsAt = ({ strategyIds }: Pick<Audience, 'strategyIds'>) => strategyIds.flatMap((id) => register.strategy(id)!.methods)
      return register.devices().filter(({ id, configuration }) => {
        const accepted = configuration?.verificationMode ?? []
        return methodsAt(register.audienceOf(id)!).some(
          (method) => isFaceAlone(method) && (accepted.length === 0 || (accepted as readonly number[]).includes(method)),
        )
      }).length
    },
  }
}
