/**
 * The parts of the demo campus that are still to be made: its setting and first persons at once, then all others and their passages. After
 * that, its current day.
 */
import { SEED, SIMULATED, TERMINAL, stepsOf } from './campus.ts'
import type { Server } from '@gatehouse/server/server'
import { liveAt } from './day.ts'
import { openMaker, type MakerOptions } from './maker.ts'
import { connect, credentialsOf } from './making-devices.ts'
import { isMade, makePersons, registeredOf } from './making-persons.ts'
import { fillRecords } from './making-records.ts'
import type { DemoCampus, DemoCredentials, Making, MakingParts, OnProgress } from './making-types.ts'
import { createPainter } from './painter.ts'
import { personsOf } from './persons.ts'
import { createPictures } from './pictures.ts'
import { rosterOf } from './roster.ts'
import { makeSetting } from './setting.ts'
import type { Verdicts } from './verdicts.ts'

export type { DemoCampus, DemoCredentials, DemoProgress, Making, Report } from './making-types.ts'

/** Persons made before the campus counts as ready; the others follow in the background. */
const FIRST_PERSONS = 20

/** @param over ends the day and its pictures @throws as the maker's calls */
export async function beginMaking(server: Server, campus: DemoCampus, options: MakerOptions, over: AbortSignal): Promise<Making> {
  const { parkId, anchor, size } = campus
  const { platform, contexts } = server
  const demo = contexts.demo.service
  const scope = { parkId }
  const total = stepsOf(size)
  const roster = rosterOf(SEED, anchor).slice(0, size.persons)
  const painter = createPainter()
  const maker = await openMaker(server, scope, options)
  const isComplete = (await demo.read(scope))?.phase === 'ready'
  if (!isComplete) await makeSetting(maker)

  const own = async (entity: string): Promise<ReadonlySet<string>> => new Set((await demo.things(scope)).get(entity))
  const registered = await personsOf(maker, await own('person'))
  const missing = roster.filter((person) => !isMade(person, registered.get(person.workNumber)))
  let done = roster.length - missing.length

  async function advance(onProgress: OnProgress, steps = 1): Promise<void> {
    done = Math.min(total, done + steps)
    await maker.checkWanted()
    if (isComplete) return
    await demo.advance(scope, done)
    onProgress({ done, total })
  }

  const parts: MakingParts = {
    server,
    campus,
    roster,
    maker,
    painter,
    pictures: createPictures(painter, over),
    signal: options.signal,
    over,
    isComplete,
    registered,
    connected: new Map(),
    own,
    advance,
  }
  const { pictures, connected } = parts
  /** What the devices decide by, and the time up to which they have sent everything; null before the filling is complete. */
  let filled: { verdicts: Omit<Verdicts, 'holdings'>; until: number } | null = null

  let terminal: DemoCredentials | null
  try {
    if (!isComplete) await makePersons(parts, missing.splice(0, Math.max(0, FIRST_PERSONS - done)), () => {})
    terminal = await credentialsOf(parts, TERMINAL)
  } catch (error) {
    await painter.stop()
    throw error
  }
  return {
    terminal,
    async fill(onProgress, report) {
      for (const device of SIMULATED) await connect(parts, device, report)
      if (!isComplete) await makePersons(parts, missing, onProgress)
      const verdicts = { people: await registeredOf(parts), anchor }
      const until = platform.clock.now()
      for (const device of SIMULATED) await fillRecords(parts, device, verdicts, until, onProgress)
      await maker.end()
      filled = { verdicts, until }
    },
    async live(report) {
      if (filled === null) return
      const { verdicts, until } = filled
      const day = { seed: SEED, roster, after: until, clock: platform.clock, painter, pictures, signal: over }
      await Promise.all(
        [...connected].map(async ([device, simulated]) => {
          const here = { ...day, direction: device.direction, verdicts: { ...verdicts, holdings: simulated.holdings } }
          const reason = await liveAt(simulated, here)
          if (reason === null) return
          report(`the demo goes on without ${device.code}: ${reason}`)
          await simulated.stop()
        }),
      )
    },
    async disconnect() {
      await pictures.idle()
      await painter.stop()
      await Promise.all([...connected.values()].map((device) => device.stop()))
      connected.clear()
    },
  }
}
