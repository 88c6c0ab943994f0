/** Reads what registers are built from. */
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StrategyFacts } from './register-facts.ts'
import type { Work } from './register-work.ts'
import { ParkRegister } from './register.ts'
import { readAllPersons, readPersons, readStrategies, readTimeRules, type RegisterSources } from './sources.ts'

/** Return the persons of linked parks, each with their home park. */
function homesOf(strategies: ReadonlyMap<string, StrategyFacts>): Map<string, string> {
  return new Map(
    [...strategies.values()].flatMap(({ home, personIds }) => (home === undefined ? [] : personIds.map((id) => [id, home] as const))),
  )
}

export interface RegisterReading {
  /** Read all of a park into a new register. */
  all(scope: Scope): Promise<ParkRegister>
  /** Read what is marked, then change the register in one step, so that nobody sees half of a change. */
  update(scope: Scope, register: ParkRegister, work: Work): Promise<void>
}

/** @param onLinked called with a park and each linked park whose persons it lets pass */
export function createRegisterReading(
  platform: Platform,
  sources: RegisterSources,
  onLinked: (host: string, home: string) => void,
): RegisterReading {
  const strategiesOf = (scope: Scope, ids: readonly string[]) => readStrategies(scope, sources, ids, (home) => onLinked(scope.parkId, home))

  async function readEverything(scope: Scope): Promise<ParkRegister> {
    const register = new ParkRegister(scope.parkId)
    const now = platform.clock.now()
    for await (const persons of readAllPersons(scope, sources)) register.putPersons([...persons.keys()], persons, now, new Map())
    const ids = await sources.reading.findStrategyIds(scope)
    const strategies = await strategiesOf(scope, ids)
    const homes = homesOf(strategies)
    register.putHomes(homes)
    register.putPersons(
      [...homes.keys()],
      await readPersons(scope, sources, [...homes.keys()], (id) => register.homeOf(id)),
      now,
      new Map(),
    )
    register.putStrategies(ids, strategies, new Map())
    register.putTimeRules(await readTimeRules(scope, sources.reading))
    register.putDevices(await sources.devices.register(scope))
    register.assign()
    return register
  }

  async function update(scope: Scope, register: ParkRegister, work: Work): Promise<void> {
    const guests = [...work.guests]
    const marked = work.groups ? [...(await sources.reading.findStrategyIds(scope)), ...register.strategyIds()] : [...work.strategies]
    // After a person was moved or changed in a linked park, other rules may let that person pass.
    const strategyIds = [...new Set([...marked, ...guests.flatMap(([home]) => register.strategiesAbout(home))])]
    const strategies = await strategiesOf(scope, strategyIds)
    const homes = homesOf(strategies)
    register.putHomes(homes)
    const changed = guests.flatMap(([home, ids]) =>
      ids === null ? register.personsFrom(home) : [...ids].filter((id) => register.knows(id)),
    )
    const personIds = [...new Set([...work.persons, ...changed, ...[...homes.keys()].filter((id) => !register.knows(id))])]
    const persons = personIds.length === 0 ? new Map() : await readPersons(scope, sources, personIds, (id) => register.homeOf(id))
    const timeRules = work.timeRules || strategyIds.length > 0 ? await readTimeRules(scope, sources.reading) : null
    const devices = work.devices ? await sources.devices.register(scope) : null
    const now = platform.clock.now()
    register.putPersons(personIds, persons, now, work.touched)
    register.putStrategies(strategyIds, strategies, work.touched)
    if (timeRules !== null) register.putTimeRules(timeRules)
    if (devices !== null) register.putDevices(devices)
    if (strategyIds.length > 0 || devices !== null) for (const id of register.assign()) work.moved.add(id)
    // Checks every person: once a minute, not with every change.
    if (work.time) register.passTime(now, work.touched)
  }

  return { all: readEverything, update }
}
