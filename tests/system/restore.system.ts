/**
 * The server is reset to yesterday's backup: the devices send again what it lost, nothing arrives twice, and they store what the restored
 * server says, though their numbers are ahead of it.
 */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { createSite, type MadePerson } from '@gatehouse/dev-env/site'
import { portrait } from '@gatehouse/dev-env/portraits'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { passageAt, startCore, type Core } from '../support/device.ts'
import { query } from '../support/embedded-postgres.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ADMIN, startServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const BEFORE = { records: 120, pictures: 10 }
const AFTER = { records: 400, pictures: 25 }

test('a server set back to the backup of yesterday loses no record, and devices hold what it says', async () => {
  const folder = scratchFolder()
  const [today, dataDir, backupDir] = [await scratchDatabase(), join(folder, 'server'), join(folder, 'backup')]
  onTestFinished(today.drop)
  mkdirSync(join(folder, 'logs'))
  const server = await startServerProcess({ connectionString: today.connectionString, dataDir, log: join(folder, 'logs', 'server.log') })
  onTestFinished(server.kill)
  const { access_token: bearer } = await logIn(createClient(server.url), ADMIN)
  let number = 0
  const site = createSite({ url: server.url, bearer, park: { areaCode: '' } as never, next: () => ++number })
  const doors = [await site.device(), await site.device()]
  const [staff, outside] = [await site.personGroup(), await site.personGroup()]
  const person = async (name: string) => site.person({ name, groupId: staff.id, photo: await portrait(`restore ${name}`) })
  const [ann, bob, cid] = [await person('Ann'), await person('Bob'), await person('Cid')]
  await site.strategy({ personGroups: [staff], devices: doors })
  const change = (one: MadePerson, fields: { name?: string; groupId?: string }) =>
    site.call(peopleCalls.change, {
      body: { id: one.id, name: one.name, workNumber: one.workNumber, groupId: one.groupId, facePhotos: one.faceIds, ...fields },
    })

  // The clock of the devices starts a day ago, so that a day can pass for them.
  let elapsed = 0
  const clock = () => Date.now() - DAY + elapsed
  const start = (index: number): Core => {
    const core = startCore({
      server: server.url,
      code: doors[index]!.code,
      secret: doors[index]!.secret,
      clock,
      folder: join(folder, `gate ${index}`),
    })
    onTestFinished(core.stop)
    return core
  }
  const [north, south] = [start(0), start(1)]
  const holds = (core: Core, ...names: string[]) =>
    until(`a device to hold ${names.join()}`, () => core.names().join() === names.join(), 60)
  const image = await sharp({ create: { width: 160, height: 160, channels: 3, background: '#765432' } })
    .webp()
    .toBuffer()
  const made: string[] = []
  const pictured: string[] = []
  /** Record passages spread over a time, some with a picture; resolve when the server has all of them. */
  async function pass(core: Core, { records, pictures }: typeof BEFORE, within: number): Promise<void> {
    for (let count = 0; count < records; count++) {
      elapsed += within / records
      const hasPicture = count < pictures
      const { id } = core.device.appendRecord(passageAt(clock(), { hasPicture }))!
      made.push(id)
      if (!hasPicture) continue
      core.device.addPicture(id, image)
      pictured.push(id)
    }
    await until('all to be stored', () => core.device.state().queue.records + core.device.state().queue.pictures === 0, 60)
  }

  for (const core of [north, south]) await holds(core, 'Ann', 'Bob', 'Cid')
  for (const core of [north, south]) await pass(core, BEFORE, 10 * MINUTE)
  const storedThen = made.length

  // The backup: database and files, while nothing is written.
  await server.kill()
  const yesterday = await until(
    'a copy of the database',
    () => scratchDatabase({ template: new URL(today.connectionString).pathname.slice(1) }),
    30,
  )
  onTestFinished(yesterday.drop)
  // Cleanup runs in the reverse order of these lines: first the server, then its database.
  onTestFinished(server.kill)
  cpSync(dataDir, backupDir, { recursive: true })
  await server.start()

  // The day after the backup.
  await until('the devices to be back', () => north.device.isOnline() && south.device.isOnline())
  await change(ann, { name: 'Ann with another name' })
  await site.call(peopleCalls.delete, { query: { ids: [bob.id] } })
  await change(cid, { groupId: outside.id })
  await person('Dan')
  await person('Eve')
  for (const core of [north, south]) await pass(core, AFTER, DAY / 4)
  for (const core of [north, south]) await holds(core, 'Ann with another name', 'Dan', 'Eve')
  await until('the devices to say so', async () => {
    const rows = await query<{ digest: string }>(today.connectionString, 'SELECT digest FROM sync_device')
    return rows.length === 2 && rows.every(({ digest }) => digest === north.device.state().held!.digest)
  })
  const ahead = south.device.state().held!.cursor
  await south.stop()

  // Reset to the backup.
  await server.kill()
  await server.start({ connectionString: yesterday.connectionString, dataDir: backupDir })
  const idsNow = async () => (await query<{ id: string }>(yesterday.connectionString, 'SELECT id FROM access_record')).map(({ id }) => id)
  await holds(north, 'Ann', 'Bob', 'Cid')
  expect(north.sentences).toContain('The server no longer has all records it acknowledged; they are sent again.')
  const resent = north.device.state().held!
  expect(resent.cursor).toBeLessThan(ahead)
  await until(
    'all records of the device that is on to be there again',
    async () => (await idsNow()).length === storedThen + AFTER.records,
    60,
  )

  // Numbers of changes continue from yesterday's, past the one the other device stopped at.
  for (let name = 1; north.device.state().held!.cursor <= ahead; name++) {
    await change(ann, { name: `Ann ${name}` })
    await holds(north, `Ann ${name}`, 'Bob', 'Cid')
  }
  const back = start(1)
  await until(
    'the device to hold the same as the other',
    () => back.device.state().held?.digest === north.device.state().held!.digest && back.device.isOnline(),
    60,
  )
  expect(back.names()).toEqual(north.names())
  expect(back.names()).toContain('Bob')
  for (const core of [north, back])
    await until('all to be stored again', () => core.device.state().queue.records + core.device.state().queue.pictures === 0, 60)

  // New records are numbered from there on.
  for (const core of [north, back]) await pass(core, BEFORE, 10 * MINUTE)
  const ids = await idsNow()
  expect(ids).toHaveLength(made.length)
  expect(new Set(ids)).toEqual(new Set(made))
  const captures = await query<{ id: string; file: string }>(
    yesterday.connectionString,
    `SELECT r.id, f.id AS file FROM access_record r JOIN file f ON f.id = r.capture_file_id WHERE f.use = 'capture' AND f.kept`,
  )
  expect(new Set(captures.map(({ id }) => id))).toEqual(new Set(pictured))
  expect(captures.filter(({ file }) => !existsSync(join(backupDir, 'files', file.slice(-2), `${file}.full`)))).toEqual([])
  expect(await query(yesterday.connectionString, 'SELECT * FROM record_gap')).toEqual([])
})
