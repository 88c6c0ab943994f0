/** The walk over all calls with bad input: the park for each call, and the things it is tried on. */
import { isWrite, type Call } from '@gatehouse/contract'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createFixtures, untouchedFixtures, namesSomething, type Fixtures } from '../fixtures.ts'
import type { Given } from '../requests.ts'
import { fieldsOf, givenFor, caseOf } from '../cases/all.ts'
import type { Walked } from './requests.ts'
import { sendAll } from './send.ts'

export interface BadInputWalk {
  world: World
  /**
   * Return the things a call is tried on, and the park they are in: what one call deletes, no other call needs. Calls that only read share
   * the park.
   */
  groundOf(call: Call): Promise<{ world: World; things: Fixtures; given: Given }>
  /**
   * Check every wrong value against the call's schemas and send what they accept. @returns what the server answered as a fault of its own
   */
  faultsOf(call: Call, tryAll: (call: Call, given: Given) => Walked): Promise<string[]>
  /** Number of calls walked, and of requests tried and sent. */
  counts: { calls: number; tried: number; sent: number }
}

export async function startBadInputWalk(): Promise<BadInputWalk> {
  const world = await startWorld()
  const shared = await createFixtures(world, world, { face: false })
  const untouched = untouchedFixtures(world, world)
  const counts = { calls: 0, tried: 0, sent: 0 }

  async function groundOf(call: Call) {
    const spends = isWrite(call) && fieldsOf(call).some(namesSomething) && caseOf(call)?.given === undefined
    const options = { face: false, report: call.url.includes('/report/') }
    const own = caseOf(call)?.apart === true ? await world.inPark() : world
    // A call made by a device gets a new device: an earlier call may have locked it out or cut it off, which its row does not show.
    const isOwn = own !== world || call.permission === 'device'
    const things = isOwn ? await createFixtures(own, own, options) : spends ? await untouched(options) : shared
    return { world: own, things, given: await givenFor(call, things, own) }
  }

  return {
    world,
    counts,
    groundOf,
    async faultsOf(call, tryAll) {
      const ground = await groundOf(call)
      const { tried, admitted, faults } = tryAll(call, ground.given)
      const sent = await sendAll(ground.world, call, ground.things, admitted)
      counts.calls++
      counts.tried += tried
      counts.sent += admitted.length
      // What every schema refuses is never sent; what is sent has to pass authentication.
      const unheard = admitted.length > 0 && sent.admitted === 0 ? ['nothing got past the check of who is asking'] : []
      return [...faults, ...sent.faults, ...unheard]
    },
  }
}
