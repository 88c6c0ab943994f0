/** Proves by numbers that nothing was lost and nothing arrived twice: what was created and confirmed is compared with what exists. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createServerClient } from '@gatehouse/terminal/device/server'
import type { DeviceAccount } from '../support/device-process.ts'
import { query } from '../support/embedded-postgres.ts'
import { until } from '../support/until.ts'
import type { Changes, Expected } from './kill-changes.ts'
import type { KillDevice, KillWorld } from './kill-world.ts'

/** A device whose connections went silent needs 15 s to notice, and as long again for each HTTP connection it had kept. */
const SETTLE_SECONDS = 120

const sumOf = (words: readonly string[]) =>
  BigInt.asUintN(
    64,
    words.reduce((total, word) => total + BigInt(`0x${word}`), 0n),
  )
    .toString(16)
    .padStart(16, '0')

/** Return what a device should store now, according to the server. */
async function desiredHoldingOf(
  { server }: KillWorld,
  { code, secret }: KillDevice,
): Promise<{ revision: string; audience: string; head: number; digest: string; persons: number }> {
  const client = createServerClient({ server: server.url, code, secret })
  const { revision, audience } = await client.request(deviceProtocolCalls.manifest, {})
  const { head, buckets, persons } = await client.request(deviceProtocolCalls.digest, { params: { audience } })
  return { revision, audience, head, digest: sumOf(buckets), persons }
}

/** Return the differences of a device from what it should store and have sent; empty when there are none. */
function differenceOf(
  account: DeviceAccount,
  desired: Awaited<ReturnType<typeof desiredHoldingOf>>,
  expected: Map<string, Expected>,
): string {
  const { held, queue, link, counted, persons } = account
  if (link.kind !== 'online') return `it is ${link.kind}: ${link.detail}`
  if (queue.records + queue.pictures > 0) return `${queue.records} records and ${queue.pictures} pictures wait`
  if (held === null) return 'it holds nothing'
  const differing = (['revision', 'audience', 'digest'] as const).filter((name) => held[name] !== desired[name])
  if (differing.length > 0) return differing.map((name) => `${name} ${held[name]} instead of ${desired[name]}`).join(', ')
  if (counted !== desired.digest || held.cursor !== desired.head) return `counted ${counted}, cursor ${held.cursor} of ${desired.head}`
  if (persons.length !== expected.size || desired.persons !== expected.size)
    return `${persons.length} persons held, ${desired.persons} wanted, ${expected.size} answered`
  for (const { id, name, enabled, strategyIds, failed } of persons) {
    const answered = expected.get(id)
    if (answered === undefined) return `${id} is held and should not be`
    if (failed === answered.hasFace) return `${id} ${failed ? 'cannot' : 'can'} be recognised`
    const same =
      failed || (name === answered.name && enabled === answered.enabled && strategyIds.join() === answered.strategyIds.toSorted().join())
    if (!same)
      return (
        `${id} is held as ${name} ${enabled} ${strategyIds.join()}, answered ` +
        `was ${answered.name} ${answered.enabled} ${answered.strategyIds.join()}`
      )
  }
  return ''
}

/**
 * Wait until every device stores all confirmed changes and has sent all its records.
 * @throws Error with the remaining differences
 */
export async function settle(world: KillWorld, changes: Changes): Promise<void> {
  for (const device of world.devices) {
    let difference = 'nothing was heard of it'
    const settled = async () => {
      await delay(100)
      difference = differenceOf(await device.account(), await desiredHoldingOf(world, device), changes.expectedAt(device.id))
      return difference === ''
    }
    await until(`${device.code} to settle`, settled, SETTLE_SECONDS).catch((error: unknown) => {
      throw new Error(`${device.code} does not settle: ${difference}`, { cause: error })
    })
  }
}

export interface Numbers {
  made: number
  stored: number
  /** Ids created and not stored, stored more than once, stored and not created by any device. */
  lost: string[]
  twice: string[]
  unknown: string[]
  picturesMade: number
  pictures: number
  /** Ids of pictures whose record has none, or whose file is missing. */
  picturesLost: string[]
  /** Number of pictures at the server that no record refers to. */
  picturesAstray: number
  /** Number of files on the disk without a row: they were being written when the server was killed. */
  filesLeftOver: number
  events: number
  /** Number of gaps between the lowest and the highest number, and after the highest assigned one. */
  eventsMissing: number
  eventsFailed: number
  /** Records that were given up or rejected. */
  gaps: number
  faults: readonly string[]
}

interface RecordRow {
  id: string
  device_id: string
  capture_file_id: string | null
}

/** Count everything; devices must have settled. */
export async function count(world: KillWorld, changes: Changes): Promise<Numbers> {
  const { connectionString } = world.database
  const journals = world.devices.map((device) => ({ ...device.journal(), deviceId: device.id }))
  const rows = await query<RecordRow>(connectionString, 'SELECT id, device_id, capture_file_id FROM access_record')
  const makerOf = new Map(journals.flatMap(({ records, deviceId }) => [...records].map((id) => [id, deviceId] as const)))
  const stored = new Map(rows.map((row) => [row.id, row]))
  const files = new Set(
    (await query<{ id: string }>(connectionString, `SELECT id FROM file WHERE use = 'capture' AND kept`)).map(({ id }) => id),
  )
  const bytesOf = (fileId: string) => join(world.dataDir, 'files', fileId.slice(-2), `${fileId}.full`)
  const hasPicture = (id: string) => {
    const fileId = stored.get(id)?.capture_file_id ?? null
    return fileId !== null && files.has(fileId) && existsSync(bytesOf(fileId))
  }
  const taken = journals.flatMap(({ pictures }) => [...pictures])
  const referred = new Set(rows.flatMap(({ capture_file_id: id }) => (id === null ? [] : [id])))
  const faces = (await query<{ id: string }>(connectionString, `SELECT id FROM file WHERE use <> 'capture'`)).map(({ id }) => id)
  const known = new Set([...files, ...faces])
  const onDisk = readdirSync(join(world.dataDir, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.full'))
  const [events] = await query<{ count: string; first: string; last: string; head: string }>(
    connectionString,
    'SELECT count(*), coalesce(min(seq), 1) AS first, coalesce(max(seq), 0) AS last, (SELECT seq FROM outbox_head) AS head FROM ' +
      'outbox WHERE seq IS NOT NULL',
  )
  const [rest] = await query<{ failed: string; gaps: string }>(
    connectionString,
    'SELECT (SELECT count(*) FROM event_failure) AS failed, (SELECT count(*) FROM record_gap) + (SELECT count(*) FROM ' +
      'unstorable_record) AS gaps',
  )
  const [all, first, last, head] = [events!.count, events!.first, events!.last, events!.head].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return {
    made: makerOf.size,
    stored: rows.length,
    lost: [...makerOf.keys()].filter((id) => !stored.has(id)),
    twice: rows.filter((row) => stored.get(row.id) !== row).map(({ id }) => id),
    unknown: rows.filter((row) => makerOf.get(row.id) !== row.device_id).map(({ id }) => id),
    picturesMade: taken.length,
    pictures: referred.size,
    picturesLost: taken.filter((id) => !hasPicture(id)),
    picturesAstray: [...files].filter((id) => !referred.has(id)).length,
    filesLeftOver: onDisk.filter((name) => !known.has(name.split('/').at(-1)!.replace('.full', ''))).length,
    events: all,
    eventsMissing: last - first + 1 - all + (head - last),
    eventsFailed: Number(rest!.failed),
    gaps: Number(rest!.gaps),
    faults: changes.faults,
  }
}

/** Return the numbers in a sentence. */
export const sentenceOf = ({ made, stored, picturesMade, pictures, filesLeftOver, events }: Numbers): string =>
  `${made} records made, ${stored} stored; ${picturesMade} pictures taken, ${pictures} stored (${filesLeftOver} files left ` +
  `over); ${events} events`
