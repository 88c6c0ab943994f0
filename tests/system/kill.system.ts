/**
 * Server, broker, database, network and terminals are killed or cut during synchronisation, upload and acknowledgement: nothing may be lost
 * or duplicated. Each kind of victim, phase, network failure and change has a round, or the test fails. ROUNDS=<count> changes the number
 * of rounds; each round prints its own seed.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { mosquittoMissing, startMosquitto, type Mosquitto } from '../support/mosquitto.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { createDraws, depth, SEED } from './depth.ts'
import { createChanges } from './kill-changes.ts'
import { count, sentenceOf, settle, type Numbers } from './kill-proof.ts'
import { createStriker, PHASES, rounds, TROUBLE_WEIGHTS, VICTIMS, VICTIMS_WITH_BROKER, type Phase, type Victim } from './kill-rounds.ts'
import { startKillWorld, type KillWorld } from './kill-world.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? depth({ usual: 50, soak: 200 }))
/** Each pair of victim and phase once. */
const EVERY_WITH_MOSQUITTO = VICTIMS_WITH_BROKER.length * PHASES.length
const WITH_MOSQUITTO = mosquittoMissing === null ? Math.floor((ROUNDS * 0.48) / EVERY_WITH_MOSQUITTO) * EVERY_WITH_MOSQUITTO : 0
/** Rounds between two proofs. */
const PROOF_EVERY = 20
const SECOND = 1_000
const LAST_LINES = 40

const say = (words: string) => process.stdout.write(`${words}\n`)

/** The numbers that must hold, whatever was killed. */
const nothing: readonly string[] = []
const PROVEN = {
  lost: nothing,
  twice: nothing,
  unknown: nothing,
  picturesLost: nothing,
  picturesAstray: 0,
  eventsMissing: 0,
  eventsFailed: 0,
  gaps: 0,
  faults: nothing,
}

function holds(numbers: Numbers): void {
  expect(numbers).toMatchObject({ ...PROVEN, stored: numbers.made })
}

/** Shared by both worlds: the fewest rounds of one world need not include each kind of failure. */
const troubles = createDraws(TROUBLE_WEIGHTS, randomOf(`${SEED} troubles`))

/** @returns the numbers at the end, which were checked like those of each check before */
async function run(seed: string, total: number, victims: readonly Victim[], world: KillWorld): Promise<Numbers> {
  const changes = createChanges(world.client, world.place, randomOf(`${seed} changes`))
  const striker = createStriker(world, changes, troubles)
  onTestFinished(() => striker.stop())
  const missing = new Set(victims.flatMap((victim) => PHASES.map((phase) => `${victim} at ${phase}`)))
  const unmet = new Set<Phase>(PHASES)
  let midst = 0

  async function prove(): Promise<Numbers> {
    await changes.pause()
    for (const device of world.devices) device.order('pause')
    await settle(world, changes)
    await changes.verify()
    const numbers = await count(world, changes)
    holds(numbers)
    return numbers
  }
  function goOn(): void {
    changes.start()
    for (const device of world.devices) device.order('resume')
  }

  const started = Date.now()
  let numbers: Numbers | undefined
  goOn()
  for (const round of rounds(seed, victims)) {
    const { moment, words } = await striker.strike(round)
    if (moment !== null) {
      midst++
      unmet.delete(round.phase)
    }
    missing.delete(`${round.victim} at ${round.phase}`)
    say(`round ${round.number}, seed ${round.seed}: ${round.victim} at ${round.phase}${moment === null ? '' : ` + ${moment} ms`}: ${words}`)
    if (round.number % PROOF_EVERY !== 0 && round.number !== total) continue
    numbers = await prove()
    say(
      `after ${round.number} rounds, ${Math.round((Date.now() - started) / SECOND)} s: ${sentenceOf(numbers)}; ` +
        `${changes.counts().done} changes answered, ${changes.counts().lookedUp} looked up`,
    )
    if (round.number === total) break
    goOn()
  }
  expect(midst).toBeGreaterThan(total / 2)
  const { kinds } = changes.counts()
  say(`changes: ${JSON.stringify(kinds)}`)
  expect([...missing], 'kinds without a round').toEqual([])
  expect([...unmet], 'phases without a round that fell into them').toEqual([])
  expect(Math.min(...Object.values(kinds)), `changes of each kind: ${JSON.stringify(kinds)}`).toBeGreaterThan(0)
  expect(numbers!.picturesMade).toBeGreaterThan(0)
  for (const device of world.devices) {
    await device.stop()
    expectGapless(join(device.folder, 'terminal.sqlite'), device.journal().records)
  }
  return numbers!
}

/** Check the device's own database: records are numbered from 1 without gaps, and all of them are noted as created. */
function expectGapless(file: string, noted: ReadonlySet<string>): void {
  const book = new DatabaseSync(file, { readOnly: true })
  try {
    const epochs = book
      .prepare(
        'SELECT e.last_seq AS last, count(r.seq) AS records, min(r.seq) AS first FROM epoch e LEFT JOIN record r ON r.epoch = ' +
          'e.number GROUP BY e.number',
      )
      .all()
    expect(epochs).toEqual([{ last: noted.size, records: noted.size, first: 1 }])
    expect(
      new Set((book.prepare('SELECT id FROM record WHERE acknowledged_at IS NOT NULL').all() as { id: string }[]).map(({ id }) => id)),
    ).toEqual(noted)
  } finally {
    book.close()
  }
}

/** Run work in a world of its own; when it fails, print the last lines of each process. */
async function within(broker: Mosquitto | null, seed: string, work: (world: KillWorld) => Promise<Numbers>): Promise<Numbers> {
  const folder = scratchFolder()
  const world = await startKillWorld(folder, broker, seed)
  onTestFinished(world.stop)
  try {
    return await work(world)
  } catch (error) {
    const logs = join(folder, 'logs')
    for (const name of readdirSync(logs))
      say(`--- ${name}\n${readFileSync(join(logs, name), 'utf8').split('\n').slice(-LAST_LINES).join('\n')}`)
    throw error
  }
}

describe(`killed and cut, seed ${SEED}`, () => {
  afterAll(() =>
    say(
      `seed ${SEED}, ${ROUNDS - WITH_MOSQUITTO} rounds with the embedded broker, ${WITH_MOSQUITTO} with ` +
        `Mosquitto${mosquittoMissing === null ? '' : ` (${mosquittoMissing})`}`,
    ),
  )

  test(`nothing is lost and nothing comes twice: ${ROUNDS - WITH_MOSQUITTO} rounds with the embedded broker`, async () => {
    const numbers = await within(null, SEED, (world) => run(SEED, ROUNDS - WITH_MOSQUITTO, VICTIMS, world))
    expect(numbers).toMatchObject(PROVEN)
  })

  test.skipIf(WITH_MOSQUITTO === 0)(`nothing is lost and nothing comes twice: ${WITH_MOSQUITTO} rounds with Mosquitto`, async () => {
    const broker = await startMosquitto()
    onTestFinished(broker.stop)
    const numbers = await within(broker, `${SEED}m`, (world) => run(`${SEED}m`, WITH_MOSQUITTO, VICTIMS_WITH_BROKER, world))
    expect(numbers).toMatchObject(PROVEN)
  })
  test('each kind of trouble befell the network', () => expect(troubles.missing()).toEqual([]))
})
