/**
 * A device on the terminal's own store, without engine and camera: creates records at a fixed pace and notes each one that is on its disk.
 * Messages make it pause, go on, report its state and stop.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { BUILTIN_DIMENSIONS, BUILTIN_MODEL } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { startDevice } from '@gatehouse/terminal/device/device'
import { createStoredPersons } from '@gatehouse/terminal/device/stored-persons'
import { recordId } from '@gatehouse/terminal/device/record-id'
import { openStore } from '../../apps/terminal/src/store/store.ts'
import { openJournal } from './device-journal.ts'
import { passageAt } from './device.ts'
import type { DeviceAccount, DeviceNews, DeviceOrder, DeviceSetup } from './device-process.ts'

const { server, code, secret, folder, picture, everyMs, seed } = JSON.parse(process.env['DEVICE'] ?? '') as DeviceSetup
const random = randomOf(seed)
const image = readFileSync(picture)
const store = openStore({ folder, code, model: { modelId: BUILTIN_MODEL, dimensions: BUILTIN_DIMENSIONS } })
const journal = openJournal(join(folder, 'made'))

/** Note records that are in the store only: the process was killed after the store's commit and before the note. */
function noteWhatWasNot(): void {
  const deviceId = store.deviceId()
  if (deviceId === null) return
  const beyond = new Map<string, number>()
  for (let batch = store.outbox.waiting(beyond, 500); batch !== null; batch = store.outbox.waiting(beyond, 500)) {
    for (const { seq } of batch.records) journal.record(recordId(deviceId, batch.epoch, seq))
    beyond.set(batch.epoch, batch.records.at(-1)!.seq)
  }
}
noteWhatWasNot()

let announced = false
/** Send the state once for all changes of one turn of the event loop. */
async function announce(): Promise<void> {
  if (announced) return
  announced = true
  await turn()
  announced = false
  const { link, held, queue } = device.state()
  const news: DeviceNews = { news: { link: link.kind, held, queue, made: journal.records(), pictures: journal.pictures() } }
  if (process.connected) process.send!(news, () => {})
}

const device = startDevice({
  server,
  code,
  secret,
  store,
  modelId: BUILTIN_MODEL,
  version: 'system test',
  log: (sentence) => process.stderr.write(`${new Date().toISOString()} ${code} ${sentence}\n`),
  operateDoor: async () => ({ isSuccess: true, errorType: null }),
  retry: { first: 50, limit: 400 },
  resendAfter: 1_000,
  onChange: () => void announce(),
})

/** Record some passages at once, as at a gate in the morning; records of one turn are sent together. */
function pass(): void {
  for (let count = 1 + Math.floor(random.between(0, 3)); count > 0; count--) {
    const hasPicture = random.chance(0.1)
    const queued = device.appendRecord(passageAt(Date.now(), { revision: device.holdings.revision(), hasPicture }))
    if (queued === null) return
    journal.record(queued.id)
    if (!hasPicture) continue
    device.addPicture(queued.id, image)
    journal.picture(queued.id)
  }
  void announce()
}

function account(): DeviceAccount {
  const { holdings } = store
  const persons = [...holdings.versions()].map(([id]) => {
    const { name = '', enabled = false } = holdings.person(id) ?? {}
    return {
      id,
      name,
      enabled,
      strategyIds: holdings
        .strategiesOf(id)
        .map((strategy) => strategy.id)
        .toSorted(),
      failed: holdings.exceptions().has(id),
    }
  })
  // Counted from what is on the disk, not tracked in memory.
  return {
    ...device.state(),
    counted: createStoredPersons(holdings).digest(),
    persons,
    made: journal.records(),
    pictures: journal.pictures(),
  }
}

let passing: NodeJS.Timeout | undefined = setInterval(pass, everyMs)

const ORDERS: Record<DeviceOrder['order'], () => void> = {
  pause() {
    clearInterval(passing)
    passing = undefined
  },
  resume() {
    passing ??= setInterval(pass, everyMs)
  },
  account: () => void process.send!({ account: account() }),
  async stop() {
    ORDERS.pause()
    await device.stop()
    store.close()
    process.disconnect?.()
  },
}
process.on('message', (message) => void ORDERS[(message as DeviceOrder).order]())
process.stdout.write(`${JSON.stringify({ answer: {} })}\n`)
