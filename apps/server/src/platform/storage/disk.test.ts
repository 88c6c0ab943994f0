/** What storage needs of a disk, the same on a folder and on a bucket; and the sentence for a bucket that cannot be used. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startObjectStore, type ObjectStore } from '../../../../../tests/support/object-store.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { bucketAddress } from './bucket-address.ts'
import { openDisk, type Disk } from './disk.ts'
import { bucketPlace, folderPlace, type Place } from './testing/places.ts'

let store: ObjectStore
beforeAll(async () => {
  store = await startObjectStore()
})
afterAll(() => store?.stop())

const DISKS: Record<string, () => Promise<{ disk: Disk; place: Place }>> = {
  async folder() {
    const dataDir = scratchFolder()
    return { disk: await openDisk({ dataDir, storage: null }), place: folderPlace(join(dataDir, 'files')) }
  },
  async bucket() {
    const bucket = await store.bucket()
    return { disk: await openDisk({ dataDir: scratchFolder(), storage: bucketAddress(bucket.url) }), place: bucketPlace(bucket) }
  },
}

describe.each(Object.keys(DISKS))('a %s', (kind) => {
  let disk: Disk
  let place: Place
  beforeEach(async () => {
    ;({ disk, place } = await DISKS[kind]!())
  })
  const listed = async (folder: string) => {
    const keys: string[] = []
    for await (const { key } of disk.list(folder)) keys.push(key)
    return keys.toSorted()
  }

  test('gives back what was written, under its key', async () => {
    const bytes = randomBytes(300_000)
    await disk.create('ab/one.full', bytes)
    await disk.create('ab/empty', Buffer.alloc(0))
    expect((await disk.read('ab/one.full'))!.equals(bytes)).toBe(true)
    expect(await disk.read('ab/empty')).toEqual(Buffer.alloc(0))
    expect([await disk.size('ab/one.full'), await disk.size('ab/empty')]).toEqual([300_000, 0])
    expect(await place.keys()).toEqual(['ab/empty', 'ab/one.full'])
    expect((await place.read('ab/one.full'))!.equals(bytes)).toBe(true)
  })

  test('reads into the room it is offered, or leaves it', async () => {
    await disk.create('ab/file', Buffer.from('bytes'))
    const room = Buffer.alloc(100)
    expect(await disk.read('ab/file', () => room)).toEqual(Buffer.from('bytes'))
  })

  test('knows nothing of what was never written', async () => {
    await disk.create('ab/other', Buffer.from('x'))
    for (const key of ['ab/none', 'cd/none']) {
      expect(await disk.read(key)).toBeNull()
      expect(await disk.exists(key)).toBe(false)
      await expect(disk.size(key)).rejects.toThrow(key)
      await disk.delete(key)
    }
    expect(await listed('cd')).toEqual([])
    expect(await listed('ab')).toEqual(['ab/other'])
  })

  test('replaces at once: readers see the one or the other', async () => {
    const [former, later] = [Buffer.alloc(200_000, 'a'), Buffer.alloc(400_000, 'b')]
    await disk.replace('ab/file', former)
    let isReplaced = false
    const writing = (async () => {
      for (let turn = 0; turn < 20; turn++) await disk.replace('ab/file', turn % 2 === 0 ? later : former)
      isReplaced = true
    })()
    while (!isReplaced) {
      const read = (await disk.read('ab/file'))!
      expect(read.equals(former) || read.equals(later)).toBe(true)
    }
    await writing
    expect((await disk.read('ab/file'))!.equals(former)).toBe(true)
    expect(await place.keys()).toEqual(['ab/file'])
  })

  test('removes', async () => {
    await disk.create('ab/one', Buffer.from('1'))
    await disk.create('ab/two', Buffer.from('2'))
    await disk.delete('ab/one')
    expect([await disk.read('ab/one'), await disk.exists('ab/one'), await disk.exists('ab/two')]).toEqual([null, false, true])
    expect(await place.keys()).toEqual(['ab/two'])
  })

  test('lists the files of a folder, also more than come at once, and when they were written', async () => {
    const names = Array.from({ length: 1010 }, (_, number) => `ab/${String(number).padStart(4, '0')}`)
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => place.write(name, Buffer.from(name))))
    await disk.create('abc/elsewhere', Buffer.from('x'))
    await disk.create('ab/0000/below', Buffer.from('x')).catch(() => {})
    expect((await listed('ab')).filter((key) => !key.includes('below'))).toEqual(names)

    await place.age('ab/0007')
    const days: number[] = []
    for await (const file of disk.list('ab'))
      if (['ab/0007', 'ab/0008'].includes(file.key)) days.push(Math.round((Date.now() - (await file.writtenAt())!) / 86_400_000))
    expect(days.toSorted()).toEqual([0, 2])
  })

  test('does not mind that a listed file goes before it is looked at', async () => {
    await disk.create('ab/file', Buffer.from('x'))
    for await (const file of disk.list('ab')) {
      await disk.delete('ab/file')
      const writtenAt = await file.writtenAt()
      expect(writtenAt === null || Math.abs(Date.now() - writtenAt) < 60_000).toBe(true)
    }
  })

  test('says whether it is empty, and that it is there', async () => {
    expect(await disk.isEmpty()).toBe(true)
    await disk.answers()
    await disk.create('ab/file', Buffer.from('x'))
    expect(await disk.isEmpty()).toBe(false)
    await disk.answers()
  })

  test('refuses a key that leads out of it', async () => {
    for (const key of ['../outside', 'ab/../../outside', '/etc/passwd/../../outside'])
      await expect(disk.create(key, Buffer.from('x'))).rejects.toThrow('Path traversal')
    expect(await place.keys()).toEqual([])
  })
})

describe('a bucket that cannot be used is refused with a sentence', () => {
  const opened = (url: string) => openDisk({ dataDir: scratchFolder(), storage: bucketAddress(url) })

  test('there is none of that name', async () => {
    const { url } = await store.bucket()
    await expect(opened(url.replace(/gatehouse-\d+/, 'elsewhere'))).rejects.toThrow(
      `There is no bucket "elsewhere" at http://127.0.0.1:${store.port}. Make it, or correct STORAGE_URL.`,
    )
  })

  test('nothing answers there', async () => {
    await expect(opened('s3://key:hidden@127.0.0.1:9/bucket?tls=off')).rejects.toThrow(
      'Nothing answers as S3 at http://127.0.0.1:9, which STORAGE_URL names (ECONNREFUSED).',
    )
  })

  test('it speaks no TLS', async () => {
    const { url } = await store.bucket()
    await expect(opened(url.replace('?tls=off', ''))).rejects.toThrow(`Nothing answers as S3 at https://127.0.0.1:${store.port}`)
  })

  test('the key is not let in, and its secret is not repeated', async () => {
    const { url } = await store.bucket()
    const error = await opened(url.replace('gatehouse:', 'somebody:')).catch((reason: unknown) => reason as Error)
    expect((error as Error).message).toMatch(/does not let the key of STORAGE_URL use the bucket "gatehouse-\d+" \(InvalidAccessKeyId\)/)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret/with')
  })
})
