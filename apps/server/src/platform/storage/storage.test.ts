/** Storage does the same on a folder and in a bucket, call by call; and a bucket belongs to one installation. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { startObjectStore, type Bucket, type ObjectStore } from '../../../../../tests/support/object-store.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { startServer } from '../../server.ts'
import type { Transaction } from '../database/database.ts'
import { isPassingFault } from '../passing-fault.ts'
import { newId } from '../database/ids.ts'
import { INSTALLATION_ID } from '../installation.ts'
import { scratchDatabase } from '../postgres/scratch.ts'
import { bucketAddress } from './bucket-address.ts'
import { createKeptFiles } from './kept-file.ts'
import { VARIANTS, type Variant } from './variants.ts'
import { bucketPlace, folderPlace, type Place } from './testing/places.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PIECE = 2 * 1_048_576

let store: ObjectStore
let picture: Buffer
beforeAll(async () => {
  store = await startObjectStore()
  picture = await portrait('stored')
})
afterAll(() => store?.stop())

describe.each(['folder', 'bucket'])('in a %s', (kind) => {
  let world: World
  let bucket: Bucket | null
  let place: Place
  let offset = 0
  beforeAll(async () => {
    bucket = kind === 'bucket' ? await store.bucket() : null
    const clock = { now: () => Date.now() + offset }
    world = await startWorld({ clock, jobsAsleep: true, config: { storage: bucket === null ? null : bucketAddress(bucket.url) } })
    place = bucket === null ? folderPlace(join(world.dataDir, 'files')) : bucketPlace(bucket)
  })
  afterAll(() => world?.stop())

  const storage = () => world.server.platform.storage
  const scope = () => ({ parkId: world.park.id })
  const inTransaction = (work: (tx: Transaction) => Promise<void>) => world.server.platform.transaction((tx) => work(tx))
  const keyOf = (id: string, variant: Variant) => `${id.slice(-2)}/${id}.${variant}`
  const keysOf = async (id: string) => (await place.keys()).filter((key) => key.includes(id))
  const allKeysOf = (id: string) => VARIANTS.map((variant) => keyOf(id, variant)).toSorted()
  const partsOf = (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://any')
    const [, , id, variant] = pathname.split('/') as [string, string, string, string]
    return [id, variant, searchParams.get('e')!, searchParams.get('s')!] as const
  }
  async function kept(): Promise<string> {
    const id = await storage().savePicture(scope(), picture, 'face')
    await inTransaction((tx) => storage().keep(tx, scope(), [id]))
    return id
  }
  async function capture(): Promise<string> {
    const id = (await storage().writeCapture(scope(), picture))!
    await inTransaction((tx) => storage().keepCapture(tx, scope(), id))
    return id
  }

  test('a picture is written in its variants, sealed, and read back', async () => {
    const id = await kept()
    expect(await keysOf(id)).toEqual(allKeysOf(id))
    for (const variant of VARIANTS) {
      const bytes = (await storage().load(scope(), id, variant))!
      expect((await sharp(bytes).metadata()).format).toBe('webp')
      const sealed = (await place.read(keyOf(id, variant)))!
      expect(sealed.length).toBe(bytes.length + 28)
      expect(sealed.includes(bytes.subarray(0, 16))).toBe(false)
    }
    await expect(storage().load({ parkId: newId() }, id, 'full')).rejects.toThrow('authenticate')
  })

  test('what lies under the name of another file is refused', async () => {
    const [one, other] = [await kept(), await kept()]
    await place.write(keyOf(one, 'full'), (await place.read(keyOf(other, 'full')))!)
    await expect(storage().load(scope(), one, 'full')).rejects.toThrow('authenticate')
    await place.write(keyOf(other, 'full'), Buffer.alloc(100))
    await expect(storage().load(scope(), other, 'full')).rejects.toThrow('authenticate')
  })

  test('small variants of a capture are made when they are first asked for, once, and kept', async () => {
    const id = await capture()
    expect(await keysOf(id)).toEqual([keyOf(id, 'full')])
    const [one, other] = await Promise.all([storage().load(scope(), id, '96'), storage().load(scope(), id, '96')])
    expect(one!.equals(other!)).toBe(true)
    expect(await sharp(one!).metadata()).toMatchObject({ width: 96, height: 96 })
    expect(await keysOf(id)).toEqual([keyOf(id, '96'), keyOf(id, 'full')])
    expect((await storage().load(scope(), id, '96'))!.equals(one!)).toBe(true)
  })

  test('what is no picture is not written as one, and what is discarded is gone', async () => {
    const before = await place.keys()
    expect(await storage().writeCapture(scope(), Buffer.from('no picture'))).toBeNull()
    await expect(storage().savePicture(scope(), Buffer.from('no picture'), 'face')).rejects.toThrow('unsupported image format')
    const id = await storage().writeOriginal(scope(), Buffer.from('as it came'))
    expect(await storage().load(scope(), id, 'full')).toEqual(Buffer.from('as it came'))
    expect(await storage().load(scope(), id, '96')).toBeNull()
    await storage().discardCapture(id)
    expect(await storage().load(scope(), id, 'full')).toBeNull()
    expect(await place.keys()).toEqual(before)
  })

  test('is given out under a signed address of minutes, and under no other', async () => {
    const id = await kept()
    const address = storage().address(scope(), id, '320')
    const [file, variant, expires, signature] = partsOf(address)
    const read = await storage().read(file, variant, expires, signature)
    expect(read!.contentType).toBe('image/webp')
    expect(read!.bytes.equals((await storage().load(scope(), id, '320'))!)).toBe(true)
    const turned = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    for (const other of [turned, signature.slice(1), `${signature}A`, '', 'é'.repeat(16)])
      expect(await storage().read(file, variant, expires, other)).toBeNull()
    expect(await storage().read(file, 'full', expires, signature)).toBeNull()
    expect(await storage().read(file, variant, String(Number(expires) + 1), signature)).toBeNull()
    expect(await storage().fileOf(scope(), address, 'face')).toBe(id)
    expect(await storage().fileOf(scope(), address, 'logo')).toBeNull()
    expect(await storage().fileOf({ parkId: newId() }, address)).toBeNull()
    expect(await storage().fileOf(scope(), address.replace(signature, turned))).toBeNull()
    offset += HOUR_MS
    expect(await storage().read(file, variant, expires, signature)).toBeNull()
    expect(await storage().fileOf(scope(), address)).toBe(id)
  })

  test('is copied into another park, and published, under other keys', async () => {
    const other = await world.addPark()
    const id = await capture()
    const copy = await storage().copy(scope(), id, { parkId: other.park.id })
    const shown = await storage().publish(scope(), id)
    for (const variant of VARIANTS) {
      const bytes = (await storage().load(scope(), id, variant))!
      expect((await storage().load({ parkId: other.park.id }, copy, variant))!.equals(bytes)).toBe(true)
      await expect(storage().load(scope(), copy, variant)).rejects.toThrow('authenticate')
    }
    expect(await storage().readPublic(shown, 'full')).toBeNull()
    await inTransaction((tx) => storage().keep(tx, { parkId: INSTALLATION_ID }, [shown]))
    expect((await storage().readPublic(shown, 'full'))!.bytes.equals((await storage().load(scope(), id, 'full'))!)).toBe(true)
    await expect(storage().copy(scope(), newId(), scope())).rejects.toThrow('has no variant')
  })

  test('what nobody keeps goes after a day, what is released at the next sweep or at once', async () => {
    const [lasting, unkept, released, erased] = [
      await kept(),
      await storage().savePicture(scope(), picture, 'face'),
      await kept(),
      await kept(),
    ]
    await inTransaction((tx) => storage().release(tx, scope(), [released, erased]))
    expect(await storage().erase([erased, lasting])).toEqual([lasting])
    expect(await keysOf(erased)).toEqual([])
    while ((await storage().sweep()) > 0);
    expect([await keysOf(released), await keysOf(unkept)]).toEqual([[], allKeysOf(unkept)])
    offset += 2 * DAY_MS
    while ((await storage().sweep()) > 0);
    expect([await keysOf(unkept), await keysOf(lasting)]).toEqual([[], allKeysOf(lasting)])
    expect(await storage().load(scope(), unkept, 'full')).toBeNull()
  })

  test('a file that comes to be kept while it is swept stays', async () => {
    const id = await storage().savePicture(scope(), picture, 'face')
    await query(world.connectionString, `UPDATE file SET created_at = now() - interval '9 days' WHERE id = $1`, [id])
    let sweeping: Promise<number> | undefined
    await inTransaction(async (tx) => {
      await storage().keep(tx, scope(), [id])
      sweeping = storage().sweep()
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    await sweeping
    expect(await keysOf(id)).toEqual(allKeysOf(id))
    expect(await storage().load(scope(), id, 'full')).not.toBeNull()
  })

  test('files no row knows go within eleven days, others and those of today do not', async () => {
    const [lost, fresh, lasting] = [
      (await storage().writeCapture(scope(), picture))!,
      (await storage().writeCapture(scope(), picture))!,
      await capture(),
    ]
    for (const id of [lost, lasting]) await place.age(keyOf(id, 'full'))
    for (let hour = 0; hour < 256; hour++) {
      offset += HOUR_MS
      await storage().sweep()
    }
    expect([await keysOf(lost), await keysOf(fresh), await keysOf(lasting)]).toEqual([[], [keyOf(fresh, 'full')], [keyOf(lasting, 'full')]])
  })

  test('large files come back whole and in any part', async () => {
    const files = createKeptFiles(storage())
    const bytes = randomBytes(2 * PIECE + 17)
    const file = await files.write(scope(), Readable.from([bytes]))
    await inTransaction((tx) => files.keep(tx, scope(), file.fileIds))
    const { size, read } = files.open(scope(), file)
    expect(size).toBe(bytes.length)
    for (const [start, end] of [
      [0, size],
      [PIECE - 1, PIECE + 1],
      [size - 1, size],
    ] as const)
      expect((await buffer(read(start, end))).equals(bytes.subarray(start, end)), `${start} to ${end}`).toBe(true)
  })

  test('is ready while the disk answers', async () => {
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
    if (kind === 'folder') return
    store.fault.status = 503
    try {
      expect((await fetch(`${world.url}/readyz`)).status).toBe(503)
      const known = await query(world.connectionString, 'SELECT id FROM file ORDER BY id')
      const read = storage().load(scope(), newId(), 'full')
      await expect(read).rejects.toThrow('Cannot read file')
      // It is not mistaken for a damaged picture.
      expect(isPassingFault(await read.catch((error: unknown) => error))).toBe(true)
      await expect(storage().savePicture(scope(), picture, 'face')).rejects.toThrow('Cannot write file')
      expect(await query(world.connectionString, 'SELECT id FROM file ORDER BY id')).toEqual(known)
    } finally {
      store.fault.status = null
    }
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
  })

  test('is the same after a restart', async () => {
    const id = await kept()
    const before = await storage().load(scope(), id, 'full')
    await world.interrupted(async () => {})
    expect(await storage().load(scope(), id, 'full')).toEqual(before)
    if (bucket !== null) expect(await bucket.keys()).toContain('installation')
  })
})

describe('a bucket', () => {
  const startOn = async (url: string, connectionString: string, dataDir: string, like: World) => {
    const config = { ...like.server.platform.config, port: 0, mqttPort: 0, dataDir, storage: bucketAddress(url) }
    const server = await startServer({ config, connectionString })
    await server.stop()
  }

  test('of another installation, with other things in it, or empty where there are files, is refused', async () => {
    const bucket = await store.bucket()
    const world = await startWorld({ config: { storage: bucketAddress(bucket.url) } })
    const place = await scratchDatabase()
    try {
      const dataDir = scratchFolder()
      await expect(startOn(bucket.url, place.connectionString, dataDir, world)).rejects.toThrow('belongs to another installation')
      const used = await store.bucket()
      await used.write('report.txt', Buffer.from('something'))
      await expect(startOn(used.url, place.connectionString, dataDir, world)).rejects.toThrow('Gatehouse needs a bucket of its own')
      expect(await used.keys()).toEqual(['report.txt'])

      const { storage, transaction } = world.server.platform
      const scope = { parkId: world.park.id }
      const id = await storage.savePicture(scope, picture, 'face')
      await transaction((tx) => storage.keep(tx, scope, [id]))
      const empty = await store.bucket()
      await world.interrupted(async () => {
        await expect(startOn(empty.url, world.connectionString, world.dataDir, world)).rejects.toThrow(
          'is empty, but this installation has files',
        )
        expect(await empty.keys()).toEqual([])
        await startOn(bucket.url, world.connectionString, world.dataDir, world)
      })
    } finally {
      await world.stop()
      await place.drop()
    }
  })
})
