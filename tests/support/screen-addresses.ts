/** The address of every screen of the console in a park with fixtures. */
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import type { World } from '@gatehouse/dev-env/world'
import type { Screen, ScreenName } from '../../apps/console/src/screens.ts'
import { createFixtures } from './fixtures.ts'
import { givenFor, listedCalls, screenParameters } from './cases/all.ts'
import type { Meaning } from './cases/case.ts'

/**
 * Return a function that gives the address behind the `#` of a screen. It throws for a screen with a parameter whose meaning is not
 * defined.
 */
export async function prepareScreenAddresses(world: World): Promise<(name: ScreenName, screen: Screen) => string> {
  await world.call(parkSettingCalls.saveUpdateConfig, {
    body: { staffFaceRegisterFlag: 0, customerFaceRegisterFlag: 0, showCustomerManagerFlag: 1 },
  })
  const things = await createFixtures(world, world)
  const made = new Map<Meaning, string>()
  const idOf = async (meaning: Meaning): Promise<string> => {
    const id = typeof meaning === 'function' ? await meaning(things, world) : String((await givenFor(meaning, things, world))['id'])
    made.set(meaning, id)
    return id
  }
  for (const call of listedCalls) await givenFor(call, things, world)
  const filled = new Map<string, Record<string, string>>()
  for (const [name, parameters] of Object.entries(screenParameters)) {
    const values: Record<string, string> = {}
    for (const [parameter, meaning] of Object.entries(parameters)) values[parameter] = made.get(meaning) ?? (await idOf(meaning))
    filled.set(name, values)
  }
  await world.settled()
  return (name, { path, kind }) => addressOf(name, path, kind, filled.get(name))
}

function addressOf(name: string, path: string, kind: string, values: Record<string, string> | undefined): string {
  const rest = { ...values }
  const at = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = rest[parameter]
    if (value === undefined) throw new Error(`what does {${parameter}} of the screen ${name} name? Say so in tests/support/cases`)
    delete rest[parameter]
    return encodeURIComponent(value)
  })
  if (kind === 'detail' && values === undefined) throw new Error(`what does the screen ${name} show one of? Say so in tests/support/cases`)
  const query = new URLSearchParams(rest).toString()
  return query === '' ? at : `${at}?${query}`
}
