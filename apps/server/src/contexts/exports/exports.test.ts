/** Exports as tasks: pending, made, ended, resumed, stored for a week, and visible to their creator alone. */
import { randomUUID } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXPORT_KEPT, PERMISSION_CODES } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { oneOf, sql } from '../../platform/database/database.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { until } from '../../../../../tests/support/until.ts'
import { passages, sentBy } from '../records/testing/records.ts'
import { exported, fetchExport, isAt, progressOf, startExport } from './testing/exports.ts'
import { holdDisk } from './testing/slow-disk.ts'

const NOW = Date.UTC(2026, 10, 21, 4)
const DAY = 86_400_000

let world: World
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW + ahead } })
})
afterAll(() => world?.stop())

const platform = () => world.server.platform
const list = async (client: Pick<Client, 'call'>) => (await client.call(exportCalls.list, { query: {} })).content
const cancel = (client: Pick<Client, 'ask'>, id: string) => client.ask(exportCalls.cancel, { query: { id } })
const stop = (client: Pick<Client, 'ask'>, taskId: string) => client.ask(exportCalls.stop, { query: { taskId } })
const retry = (client: Pick<Client, 'ask'>, id: string) => client.ask(exportCalls.retry, { query: { id } })
const download = async (client: Client, id: string) => (await fetchExport(client, id)).status

/** Create a park with one door that has sent this many passages. */
async function parkWith(count: number, named = {}): Promise<Site> {
  const site = await world.addPark()
  const { id } = await site.device()
  const records = passages(Array.from({ length: count }, (_, at) => ({ occurredAt: NOW - (at + 1) * 1000, ...named })))
  await world.server.contexts.records.ingest({ deviceId: id, parkId: site.park.id }, sentBy(records, { sentAt: NOW }))
  return site
}

/** Return the names of all files on the disk. */
const onDisk = (): string[] => globSync(join(world.dataDir, 'files', '*', '*')).toSorted()
/** Return the ids of a task's file pieces, or of those an attempt has written so far. */
const piecesOf = async (id: string): Promise<string[]> =>
  (await sql<{ ids: string[] }>`SELECT file_ids AS ids FROM export_task WHERE id = ${id}`.execute(platform().db)).rows[0]?.ids ?? []
const areOnDisk = (ids: readonly string[]): boolean[] =>
  ids.map((id) => existsSync(join(world.dataDir, 'files', id.slice(-2), `${id}.full`)))

const linesOf = async (bytes: Uint8Array): Promise<number> => (await readXlsx(bytes)).rows.length - 1

describe('a task', () => {
  test(
    'waits, is made and can be downloaded, again and again ' +
      '[STATE:export:*>waiting, STATE:export:waiting>exporting, STATE:export:exporting>exported, STATE:export:exported>exported]',
    async () => {
      const site = await parkWith(3)
      const release = holdDisk(platform().storage)
      const id = await startExport(site.client)
      const made = await isAt(site, id, 'exporting')
      expect(made).toMatchObject({
        id,
        total: 3,
        size: null,
        reason: null,
        createdAt: NOW,
        finishedAt: null,
        expiresAt: NOW + EXPORT_KEPT * DAY,
      })
      expect(await isAt(site, await startExport(site.client), 'waiting')).toMatchObject({ done: 0, total: 3, size: null })
      expect(await download(site.client, id)).toBe(404)
      release()
      const { size, finishedAt } = await isAt(site, id, 'exported')
      expect(finishedAt).toBe(NOW)
      for (const _ of [1, 2]) {
        const bytes = Buffer.from(await (await fetchExport(site.client, id)).arrayBuffer())
        expect(bytes.length).toBe(size)
        expect(await linesOf(bytes)).toBe(3)
      }
      expect(await progressOf(site, id)).toMatchObject({ status: exportStatus.exported, done: 3 })
    },
  )

  test('stands in the list, the newest first, a page at a time', async () => {
    const site = await parkWith(1)
    const ids: string[] = []
    for (const format of ['xlsx', 'csv', 'zip'] as const) {
      ids.unshift(await startExport(site.client, { format }))
      ahead += 1
    }
    for (const id of ids) await isAt(site, id, 'exported')
    expect((await list(site)).map(({ id, format }) => [id, format])).toEqual([
      [ids[0], 'zip'],
      [ids[1], 'csv'],
      [ids[2], 'xlsx'],
    ])
    const { content, total } = await site.call(exportCalls.list, { query: { page: 2, size: 2 } })
    expect([content.map(({ id }) => id), total]).toEqual([[ids[2]], 3])
  })

  test('a row says what can be done with a task, as the server lets it be done', async () => {
    const site = await parkWith(1)
    const actions = { download: async (id: string) => ((await download(site.client, id)) === 200 ? 0 : 1), retry, cancel, stop }
    /** Return the actions the row offers; request all others, which must be refused. */
    async function offered(id: string): Promise<string[]> {
      const { can } = await progressOf(site, id)
      expect((await list(site)).find((row) => row.id === id)?.can).toEqual(can)
      for (const action of ['download', 'retry', 'cancel', 'stop'] as const)
        if (!can[action])
          expect(action === 'download' ? await actions.download(id) : (await actions[action](site.client, id)).code, action).not.toBe(0)
      return Object.keys(can).filter((action) => can[action as keyof typeof can])
    }
    const release = holdDisk(platform().storage)
    const [first, second, third] = [await startExport(site.client), await startExport(site.client), await startExport(site.client)]
    await isAt(site, first, 'exporting')
    expect([await offered(first), await offered(second)]).toEqual([['stop'], ['cancel', 'stop']])
    expect(await cancel(site.client, second)).toMatchObject({ code: 0 })
    expect(await stop(site.client, third)).toMatchObject({ code: 0 })
    expect(await offered(third)).toEqual(['retry'])
    release()
    await isAt(site, first, 'exported')
    expect(await offered(first)).toEqual(['download'])
    expect(await download(site.client, first)).toBe(200)
    expect(await retry(site.client, third)).toMatchObject({ code: 0 })
    await isAt(site, third, 'exported')
  })

  test('waits for those of its park that came before it, which are made one at a time, and for no other park', async () => {
    const [first, second] = [await parkWith(1), await parkWith(1)]
    const release = holdDisk(platform().storage)
    const ids: [Site, string][] = []
    for (const site of [first, second, first, second]) {
      ids.push([site, await startExport(site.client)])
      ahead += 1
    }
    for (const [site, id] of ids.slice(0, 2)) await isAt(site, id, 'exporting')
    for (const [site, id] of ids.slice(2)) expect(await progressOf(site, id)).toMatchObject({ status: exportStatus.waiting })
    release()
    for (const [site, id] of ids) await isAt(site, id, 'exported')
    // The ids of a file's pieces ascend.
    for (const site of [first, second]) {
      const own = ids.filter(([owner]) => owner === site)
      const pieces = await Promise.all(own.map(async ([, id]) => (await piecesOf(id))[0]!))
      expect(pieces).toEqual(pieces.toSorted())
    }
  })

  test('is cancelled only while it waits, and is gone then [VAL-222, STATE:export:waiting>(gone)]', async () => {
    const site = await parkWith(1)
    const release = holdDisk(platform().storage)
    const [made, waits] = [await startExport(site.client), await startExport(site.client)]
    await isAt(site, made, 'exporting')
    expect(await cancel(site, waits)).toMatchObject({ status: 200, code: 0, data: { id: waits } })
    expect(await site.ask(exportCalls.progress, { query: { id: waits } })).toMatchObject({ status: 404 })
    expect(await cancel(site, waits)).toMatchObject({ status: 404 })
    expect(await cancel(site, made)).toMatchObject({ status: 200, code: 100508 })
    release()
    await isAt(site, made, 'exported')
    expect(await cancel(site, made)).toMatchObject({ status: 200, code: 100508 })
    expect((await list(site)).map(({ id }) => id)).toEqual([made])
  })

  test(
    'that is stopped has failed and leaves no file; then it is tried again, from its start ' +
      '[VAL-223, STATE:export:exporting>failed, STATE:export:failed>waiting]',
    async () => {
      const site = await parkWith(2)
      const before = onDisk()
      const release = holdDisk(platform().storage)
      const id = await startExport(site.client)
      await isAt(site, id, 'exporting')
      expect(await retry(site, id)).toMatchObject({ status: 200, code: 100509 })
      expect(await stop(site, id)).toMatchObject({ status: 200, code: 0 })
      expect(await progressOf(site, id)).toMatchObject({
        status: exportStatus.failed,
        reason: 'stopped',
        size: null,
        finishedAt: NOW + ahead,
      })
      expect(await stop(site, id)).toMatchObject({ status: 409 })
      expect(await download(site.client, id)).toBe(404)
      // What was requested after it is made after it: by then the attempt has noticed.
      const next = await startExport(site.client)
      release()
      await isAt(site, next, 'exported')
      expect(onDisk()).toHaveLength(before.length + 1)
      expect(await retry(site, next)).toMatchObject({ status: 200, code: 100509 })
      expect(await retry(site, id)).toMatchObject({ status: 200, code: 0 })
      expect(await isAt(site, id, 'exported')).toMatchObject({ reason: null, done: 2 })
      expect(await linesOf(Buffer.from(await (await fetchExport(site.client, id)).arrayBuffer()))).toBe(2)
      expect(await retry(site, id)).toMatchObject({ status: 200, code: 100509 })
    },
  )

  test('that waits can be stopped too, and is never made', async () => {
    const site = await parkWith(1)
    const release = holdDisk(platform().storage)
    const [made, waits] = [await startExport(site.client), await startExport(site.client)]
    await isAt(site, made, 'exporting')
    expect(await stop(site, waits)).toMatchObject({ status: 200, code: 0 })
    const last = await startExport(site.client)
    release()
    await isAt(site, last, 'exported')
    expect(await progressOf(site, waits)).toMatchObject({ status: exportStatus.failed, reason: 'stopped' })
    expect(await piecesOf(waits)).toEqual([])
  })

  test('that waits is cancelled, that has failed is tried again, that is exported is downloaded, and nothing else [BEH-180]', async () => {
    const site = await parkWith(1)
    const release = holdDisk(platform().storage)
    const [exporting, waiting, failed] = [await startExport(site.client), await startExport(site.client), await startExport(site.client)]
    await isAt(site, exporting, 'exporting')
    await stop(site, failed)
    const may = async (id: string) => [
      (await retry(site, id)).code === 0,
      (await download(site.client, id)) === 200,
      (await cancel(site, id)).code === 0,
    ]
    expect(await may(exporting)).toEqual([false, false, false])
    expect(await may(waiting)).toEqual([false, false, true])
    expect(await may(failed)).toEqual([true, false, true])
    release()
    await isAt(site, exporting, 'exported')
    expect(await may(exporting)).toEqual([false, true, false])
  })

  test('says why it failed where the disk is full, and where it was nobody’s fault', async () => {
    const site = await parkWith(1)
    const { storage } = platform()
    const { writeOriginal } = storage
    for (const [error, reason] of [
      [Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }), 'noRoom'],
      [new Error('Cannot write file', { cause: Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }) }), 'noRoom'],
      [new Error('broken'), 'fault'],
    ] as const) {
      storage.writeOriginal = () => Promise.reject(error)
      const id = await startExport(site.client)
      expect(await isAt(site, id, 'failed').finally(() => (storage.writeOriginal = writeOriginal))).toMatchObject({ reason })
    }
  })
})

describe('whose', () => {
  test('another user’s task, and one’s own of another park, are as if absent', async () => {
    const site = await parkWith(1)
    const elsewhere = await parkWith(1)
    const { task } = await exported(site.client)
    const other = await world.session({ park: site.park })
    for (const client of [other, elsewhere.client]) {
      expect(await list(client)).toEqual([])
      expect(await client.ask(exportCalls.progress, { query: { id: task.id } })).toMatchObject({ status: 404 })
      for (const change of [cancel, stop, retry]) expect(await change(client, task.id)).toMatchObject({ status: 404 })
      expect(await download(client, task.id)).toBe(404)
    }
    expect(await site.ask(exportCalls.progress, { query: { id: crypto.randomUUID() } })).toMatchObject({ status: 404 })
    expect(await site.ask(exportCalls.progress, { query: { id: randomUUID() } })).toMatchObject({ status: 404 })
    expect(await progressOf(site, task.id)).toEqual(task)
  })

  test('whoever may not see records starts none; whose data are masked since gets no file that is not', async () => {
    const site = await parkWith(1)
    const without = await world.session({ park: site.park, permissions: PERMISSION_CODES.filter((code) => code !== 'access.record') })
    expect(await without.ask(exportCalls.accessRecord, { body: {} })).toMatchObject({ status: 403, code: 100510 })
    const masked = await world.session({ park: site.park, masking: true })
    const { task } = await exported(masked)
    await sql`UPDATE export_task SET masked = false WHERE id = ${task.id}`.execute(platform().db)
    expect(await (await fetchExport(masked, task.id)).json()).toMatchObject({ code: 100510 })
  })

  test('whoever may not see records any more gets no file of them, old or new', async () => {
    const site = await parkWith(2)
    const { task } = await exported(site.client)
    const stopped = await startExport(site.client)
    await isAt(site, stopped, 'exported')
    await sql`UPDATE export_task SET status = ${exportStatus.failed}, reason = 'fault' WHERE id = ${stopped}`.execute(platform().db)
    const admin = await world.session({ roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id })
    const { id, name } = site.park
    await admin.call(areaCalls.update, { body: { id, name, modules: ['person'] } })
    expect(await (await fetchExport(site.client, task.id)).json()).toMatchObject({ code: 100510 })
    expect(await retry(site, stopped)).toMatchObject({ status: 403, code: 100510 })
    // They still belong to their creator.
    expect((await list(site)).map((one) => one.id)).toEqual([stopped, task.id])
  })
})

describe('a server that ends in the middle', () => {
  test('makes the file from its start once it is back, and nothing is left of what it had begun', async () => {
    const site = await parkWith(3)
    const scope = { parkId: site.park.id }
    const release = holdDisk(platform().storage)
    const id = await startExport(site.client)
    await isAt(site, id, 'exporting')
    // The state a server leaves that is killed in the middle: half a file, and an attempt that does not go on.
    release()
    await isAt(site, id, 'exported')
    const partialFile = await platform().storage.writeOriginal(scope, Buffer.from('half a file'))
    const before = await piecesOf(id)
    await sql`UPDATE export_task
      SET status = ${exportStatus.exporting}, attempt = ${randomUUID()}, file_ids = ARRAY[${partialFile}]::uuid[], size = NULL, done = 1
      WHERE id = ${id}`.execute(platform().db)
    await sql`UPDATE work SET state = 'running', runner = ${randomUUID()}, beat_at = now() - interval '1 hour', ended_at = NULL
      WHERE id = (SELECT id FROM work WHERE kind = 'exports.make' ORDER BY created_at DESC, id DESC LIMIT 1)`.execute(platform().db)
    expect(await isAt(site, id, 'exported')).toMatchObject({ done: 3, total: 3 })
    const bytes = Buffer.from(await (await fetchExport(site.client, id)).arrayBuffer())
    expect(await linesOf(bytes)).toBe(3)
    expect(areOnDisk([partialFile])).toEqual([false])
    expect(areOnDisk(await piecesOf(id))).toEqual([true])
    expect(await piecesOf(id)).not.toEqual(before)
  })

  test('goes on by itself after it was stopped while one was made and another waited', async () => {
    const site = await parkWith(2)
    const { storage } = platform()
    const { writeOriginal } = storage
    // What is being written when the server ends is not completed.
    let ending: (() => void) | undefined
    const ended = new Promise<void>((resolve) => (ending = resolve))
    storage.writeOriginal = async (scope, bytes) => {
      await ended
      return writeOriginal(scope, bytes)
    }
    const ids = [await startExport(site.client), await startExport(site.client)]
    await isAt(site, ids[0]!, 'exporting')
    const interruption = world.interrupted(async () => {})
    ending!()
    await interruption
    for (const id of ids)
      expect(
        await linesOf(Buffer.from(await (await isAt(site, id, 'exported').then(() => fetchExport(site.client, id))).arrayBuffer())),
      ).toBe(2)
  })
})

describe('an erasure', () => {
  test('takes every file of the park, which says why and can be made again without the person; requests by a name go', async () => {
    const site = await world.as({ ...ADMIN, areaCode: world.park.areaCode })
    const door = await world.device()
    const person = await world.person({ name: 'Exported Edgar' })
    const named = { personId: person.id, personName: person.name }
    const records = passages([{ occurredAt: NOW + ahead - 1000, ...named }])
    await world.server.contexts.records.ingest({ deviceId: door.id, parkId: world.park.id }, sentBy(records, { sentAt: NOW + ahead }))
    const textOf = async (id: string) => (await fetchExport(site, id)).text()
    const { task: plain } = await exported(site, { format: 'csv' })
    const { task: naming } = await exported(site, { format: 'csv', personName: 'Edgar' })
    expect(await textOf(plain.id)).toContain('Exported Edgar')
    const files = [...(await piecesOf(plain.id)), ...(await piecesOf(naming.id))]
    const elsewhere = await exported((await parkWith(1)).client)
    const preview = await site.call(privacyCalls.preview, { query: { personIds: [person.id] } })
    expect(preview.places).toContainEqual({ place: 'exports', count: 2, kept: false })

    // One is being made in the meantime, with what was read before.
    const release = holdDisk(platform().storage)
    const made = await startExport(site, { format: 'csv' })
    await isAt(site, made, 'exporting')
    const { erasureIds } = await site.call(privacyCalls.erase, { body: { personIds: [person.id], reason: 'asked for' } })
    release()
    await isAt(site, made, 'exported')
    const receipt = await until('the receipt', async () => {
      const now = await site.call(privacyCalls.read, { params: { id: erasureIds[0]! } })
      return now.completedAt === null ? null : now
    })
    expect(receipt.places).toContainEqual(expect.objectContaining({ place: 'exports', state: 'done', count: 2 }))
    expect(areOnDisk(files)).toEqual([false, false])
    expect(await site.ask(exportCalls.progress, { query: { id: naming.id } })).toMatchObject({ status: 404 })
    expect(await progressOf(site, plain.id)).toMatchObject({ status: exportStatus.failed, reason: 'erased', size: null })
    expect(await download(site, plain.id)).toBe(404)
    await retry(site, plain.id)
    await isAt(site, plain.id, 'exported')
    for (const id of [plain.id, made]) {
      const text = await textOf(id)
      expect(text).toContain(',Erased person,')
      expect(text).not.toContain('Edgar')
    }
    expect(areOnDisk(await piecesOf(elsewhere.task.id))).toEqual([true])
  })

  test('of a park takes its tasks and files', async () => {
    const site = await parkWith(1)
    const { task } = await exported(site.client)
    const files = await piecesOf(task.id)
    const scope = { parkId: site.park.id }
    const context = world.server.contexts.exports
    expect(await platform().transaction((tx) => context.erasePark!(tx, scope))).toEqual({ exports: 1 })
    expect(await list(site)).toEqual([])
    expect(await platform().storage.erase(files)).toEqual([])
    expect(areOnDisk(files)).toEqual([false])
  })
})

describe('how long', () => {
  const removeOld = () => world.server.contexts.exports.jobs!.find(({ name }) => name === 'exports.removeOld')!.run()

  test('seven days, then the task and its file are gone [BEH-181, STATE:export:*>(gone)]', async () => {
    const site = await parkWith(1)
    const { task } = await exported(site.client)
    const files = await piecesOf(task.id)
    const again = () => world.as({ ...ADMIN, areaCode: site.park.areaCode })
    expect(task.expiresAt).toBe(NOW + ahead + EXPORT_KEPT * DAY)
    ahead += EXPORT_KEPT * DAY - 1
    const last = await again()
    expect(await removeOld()).toMatchObject({ outcome: 'success' })
    expect(await download(last, task.id)).toBe(200)
    ahead += 1
    const after = await again()
    // Even before anything is removed.
    expect(await list(after)).toEqual([])
    expect(await download(after, task.id)).toBe(404)
    expect(areOnDisk(files)).toEqual([true])
    expect(await removeOld()).toMatchObject({ outcome: 'success' })
    expect(areOnDisk(files)).toEqual([false])
    expect((await sql`SELECT 1 FROM export_task WHERE id = ${task.id}`.execute(platform().db)).rows).toEqual([])
    expect((await sql`SELECT 1 FROM file WHERE id = ${oneOf(files)}`.execute(platform().db)).rows).toEqual([])
  })
})
