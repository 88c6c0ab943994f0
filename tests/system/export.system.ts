/** The server is killed repeatedly while it makes an export with pictures: the user gets the complete file, and never an incomplete one. */
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { exportStatus } from '@gatehouse/contract/enums'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { startSimulatedDevice } from '@gatehouse/dev-env/demo/simulated-device'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { createSite } from '@gatehouse/dev-env/site'
import { passage } from '@gatehouse/server/contexts/records/testing/records'
import { fetchExport, partsOfZip } from '@gatehouse/server/contexts/exports/testing/exports'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { readXlsx } from '@gatehouse/server/platform/documents/testing/xlsx'
import { query } from '../support/embedded-postgres.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ADMIN, startServerProcess } from '../support/server-process.ts'
import { hastenTakeover } from '../support/takeover.ts'
import { until } from '../support/until.ts'
import { depth } from './depth.ts'

/** More than one page of 1,000 rows. */
const ROWS = depth({ usual: 3_000, soak: 10_000 })
/** Numbers of rows after which the server is killed: in the first page, and after it. */
const KILLED_AT = depth({ usual: [300, 1_500], soak: [300, 1_500, 3_000] })

test('an export is whole however often the server dies while it is made', async () => {
  const folder = scratchFolder()
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const { connectionString } = database
  const server = await startServerProcess({ connectionString, dataDir: join(folder, 'server'), log: join(folder, 'server.log') })
  onTestFinished(server.kill)
  const { access_token: bearer } = await logIn(createClient(server.url), ADMIN)
  let number = 0
  const site = createSite({ url: server.url, bearer, park: { areaCode: '' } as never, next: () => ++number })
  const door = await site.device()
  const device = await startSimulatedDevice({ server: server.url, code: door.code, secret: door.secret, epoch: 'export', modelId: 'none' })
  await device.send([passage(1, { occurredAt: Date.now() - 60_000, hasPicture: true })])
  await device.stop()
  const picture = await sharp({
    create: { width: 160, height: 160, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 }, background: 'white' },
  })
    .webp()
    .toBuffer()
  await createClient(server.url, { basic: [door.code, door.secret] }).call(deviceProtocolCalls.picture, {
    params: { id: recordId(door.id, 'export', 1) },
    file: picture,
  })
  await query(
    connectionString,
    `INSERT INTO access_record (id, park_id, occurred_at, received_at, zone, local_date, local_hour, device_id, device_name,
      person_name, work_number, direction, verify_type, result, checks, settings_revision, capture_file_id)
     SELECT gen_random_uuid(), park_id, occurred_at - number * interval '1 millisecond', received_at, zone, local_date, local_hour,
       device_id, device_name, 'Passage ' || number, '', 1, 1, 1, '[]', '', capture_file_id
     FROM access_record, generate_series(1, $1::integer) number WHERE device_id = $2`,
    [ROWS - 1, door.id],
  )

  const { id } = await site.call(exportCalls.accessRecord, { body: { format: 'zip' } })
  const progress = () => site.call(exportCalls.progress, { query: { id } })
  for (const least of KILLED_AT) {
    const { status } = await until(
      `${least} rows`,
      async () => {
        const task = await progress()
        return task.done >= least ? task : null
      },
      300,
    )
    expect(status).toBe(exportStatus.exporting)
    expect((await fetchExport(site.client, id)).status).toBe(404)
    await server.kill()
    await server.start()
    // The test of the import waits for the takeover at both depths.
    if (depth({ usual: true, soak: false })) await hastenTakeover(connectionString)
  }
  const task = await until(
    'the export',
    async () => {
      const now = await progress()
      return now.status === exportStatus.exported ? now : null
    },
    300,
  )
  expect(task).toMatchObject({ done: ROWS, total: ROWS })
  const bytes = Buffer.from(await (await fetchExport(site.client, id)).arrayBuffer())
  expect(bytes.length).toBe(task.size)
  const [[, sheet], ...pictures] = [...(await partsOfZip(bytes))] as [[string, Buffer], ...[string, Buffer][]]
  expect(new Set((await readXlsx(sheet)).rows.slice(1).map((cells) => cells[1]!.value)).size).toBe(ROWS)
  expect(pictures.filter(([, content]) => content.equals(picture))).toHaveLength(ROWS)
})
