/** `npm run simulate`: a fleet of simulated devices, and in the end the proof that no record was lost or stored twice. */
import { setTimeout as delay } from 'node:timers/promises'
import { enrolBoxes, startAiBoxes, type AiBoxes, type SimulatedBox } from './ai-boxes.ts'
import { BadOption, HELP, optionsOf, type Options } from './command-line.ts'
import { removeDevices, storedRecords } from './enrolment.ts'
import { picture } from './picture.ts'
import { startFleet, type Fleet } from './fleet.ts'
import { openPlace, type Place } from './place.ts'
import { prove, sentencesOf } from './proof.ts'

/** Milliseconds in which the fleet must receive its persons at the start. */
const START_PATIENCE_MS = 900_000
/** Milliseconds in which, at the end, it must send everything and hold what it should. */
const PATIENCE_MS = 120_000
/** Time before the start that the records of days without a line lie in. */
const DAYS_BEFORE = 10 * 86_400_000

const say = (sentence: string) => process.stdout.write(`${sentence}\n`)
const ending = new AbortController()
const ended = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()))

function onSignal(): void {
  if (ending.signal.aborted) process.exit(130)
  say('\nThe visits end. Once more ends everything at once.')
  ending.abort()
}

function line(startedAt: number, fleet: Fleet, boxes: AiBoxes): string {
  const {
    devices,
    online,
    complete: held,
    behind,
    made,
    acknowledged,
    turnedAway,
    picturesMade,
    picturesWaiting,
    cuts,
    vanished,
    exceptions,
  } = fleet.figures()
  const events = boxes.figures()
  const parts = [
    `${online}/${devices} online`,
    `${held} held, ${behind} behind`,
    `records ${made} made, ${acknowledged} acknowledged`,
    ...(picturesMade > 0 ? [`pictures ${picturesMade} made, ${picturesWaiting} waiting`] : []),
    ...(events.sent > 0 ? [`AI events ${events.sent} sent, ${events.acknowledged} acknowledged`] : []),
    ...(turnedAway > 0 ? [`${turnedAway} turned away`] : []),
    ...(exceptions > 0 ? [`${exceptions} exceptions`] : []),
    ...(cuts + vanished > 0 ? [`${cuts} cuts, ${vanished} vanished`] : []),
  ]
  return `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${parts.join('   ')}`
}

/** Print the figures of the fleet once a second, until the work is done. */
async function watched<T>(startedAt: number, fleet: Fleet, boxes: AiBoxes, work: Promise<T>): Promise<T> {
  const timer = setInterval(() => void fleet.look().then(() => say(line(startedAt, fleet, boxes))), 1000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

async function runAt(place: Place, options: Options, enrolled: readonly SimulatedBox[]): Promise<boolean> {
  const { rate, aiRate, faults, seed, seconds, misfortunes, verbose } = options
  const startedAt = performance.now()
  const since = Date.now() - DAYS_BEFORE
  const { url: server, modelId, devices } = place
  const boxes = await startAiBoxes({ server, boxes: enrolled, rate: aiRate, seed })
  const fleet = await startFleet({
    server,
    devices,
    modelId,
    seed,
    rate,
    faults,
    misfortunesPerMinute: misfortunes,
    picture: await picture(),
    ...(verbose && { log: say }),
  })
  try {
    await watched(startedAt, fleet, boxes, Promise.race([fleet.settled(START_PATIENCE_MS), ended]))
    if (!ending.signal.aborted) say('The visits begin.')
    fleet.begin()
    boxes.begin()
    await watched(
      startedAt,
      fleet,
      boxes,
      delay(seconds === 0 ? 2 ** 31 - 1 : seconds * 1000, undefined, { signal: ending.signal }).catch(() => {}),
    )
    fleet.calm()
    await boxes.calm()
    say('The visits are over; what is under way arrives.')
    const settled = await watched(startedAt, fleet, boxes, fleet.settled(PATIENCE_MS))
    if (!settled) say(`After ${PATIENCE_MS / 1000} s some devices still wait.`)
    const ids = devices.map(({ id }) => id)
    const proof = prove(await fleet.accounts(), await storedRecords(place.client, ids, since))
    for (const sentence of sentencesOf(proof)) say(sentence)
    const lost = await boxes.faultsAt(place.client)
    for (const sentence of lost) say(sentence)
    if (enrolled.length > 0 && lost.length === 0) say(`Each of ${boxes.figures().acknowledged} events of AI boxes is there once.`)
    return proof.holds && lost.length === 0
  } finally {
    await fleet.stop()
  }
}

async function run(): Promise<number> {
  const options = optionsOf(process.argv.slice(2))
  if (options === null) {
    say(HELP)
    return 0
  }
  say(`${options.devices} devices, ${options.rate} visitors a second, faults ${options.faults.join(', ') || 'none'}, seed ${options.seed}.`)
  const place = await openPlace(options, say)
  let boxes: SimulatedBox[] = []
  try {
    boxes = await enrolBoxes(place.client, options.aiBoxes)
    return (await runAt(place, options, boxes)) ? 0 : 1
  } finally {
    if (!options.keep)
      await removeDevices(
        place.client,
        boxes.map(({ id }) => id),
        null,
      )
    await place.leave()
  }
}

process.on('SIGINT', onSignal)
process.on('SIGTERM', onSignal)
try {
  process.exit(await run())
} catch (error) {
  say(
    error instanceof BadOption
      ? `${error.message} --help says more.`
      : `The simulation failed: ${error instanceof Error ? error.message : String(error)}`,
  )
  process.exit(1)
}
