import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait } from '@gatehouse/dev-env/portraits'
import type { FacePool } from '@gatehouse/face-engine'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { terminalForTest } from '../settings/testing/terminal.ts'
import { consoleOf, type ConsoleClient } from './testing/console.ts'

let pool: FacePool
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  await pool.ready()
})
afterAll(() => pool.close())

async function opened(): Promise<ConsoleClient> {
  const { terminal, sentences } = await terminalForTest({ pool })
  const client = consoleOf(terminal, sentences)
  await client.logIn()
  return client
}

const startedBatch = async ({ call }: ConsoleClient, count: number) =>
  ((await call('POST', 'bulk', { count })).data as unknown as { batch: string }).batch
const jpeg = async (seed: number) =>
  sharp(await portrait(seed))
    .jpeg()
    .toBuffer()

test('bulk registration takes fewer than 1000 pictures at once [VAL-136]', async () => {
  const client = await opened()
  expect(await client.call('POST', 'bulk', { count: 1000 })).toMatchObject({ code: 510, fields: { count: 'Use 999 or less.' } })
  expect(await client.call('POST', 'bulk', { count: 0 })).toMatchObject({ code: 510 })
  expect(await client.call('POST', 'bulk', { count: 999 })).toMatchObject({ code: 200 })
  const batch = await startedBatch(client, 1)
  expect((await client.call('POST', `bulk/${batch}?name=1_Ann.jpg`, await jpeg(1))).code).toBe(200)
  expect(await client.call('POST', `bulk/${batch}?name=2_Bob.jpg`, await jpeg(2))).toMatchObject({ code: 510 })
})

test('bulk registration takes JPG pictures only, whatever they are called: 524 [VAL-137]', async () => {
  const client = await opened()
  const batch = await startedBatch(client, 10)
  const png = await sharp(await portrait(1))
    .png()
    .toBuffer()
  expect(await client.call('POST', `bulk/${batch}?name=1_Ann.png`, png)).toMatchObject({
    code: 524,
    message: 'This picture format is not supported.',
  })
  expect(await client.call('POST', `bulk/${batch}?name=1_Ann.jpg`, png)).toMatchObject({ code: 524 })
  expect(await client.call('POST', `bulk/${batch}?name=1_Ann.gif`, await jpeg(1))).toMatchObject({ code: 524 })
  expect(await client.call('POST', `bulk/${batch}?name=1_Ann.jpeg`, await jpeg(1))).toMatchObject({ code: 200 })
})

test('each picture has its own outcome: a bad name is 523, no face 535, a taken number 506; the others are registered', async () => {
  const client = await opened()
  const batch = await startedBatch(client, 10)
  const send = (name: string, body: Uint8Array) => client.call('POST', `bulk/${batch}?name=${encodeURIComponent(name)}`, body)
  const photo = await jpeg(1)
  for (const name of ['Ann.jpg', '_Ann.jpg', '1_.jpg', `${'9'.repeat(33)}_Ann.jpg`, `1_${'n'.repeat(33)}.jpg`])
    expect(await send(name, photo)).toMatchObject({ code: 523, message: 'The name of a picture is not right.' })
  const grey = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#777777' } })
    .jpeg()
    .toBuffer()
  expect(await send('1_Ann.jpg', grey)).toMatchObject({ code: 535 })
  expect(await send('1024_李华.jpg', photo)).toMatchObject({ code: 200, data: { name: '李华', workNumber: '1024' } })
  expect(await send('1024_李华.jpg', photo)).toMatchObject({ code: 506, fields: { workNumber: expect.any(String) } })
  expect((await client.call('POST', `bulk/${batch}/end`)).code).toBe(200)
  expect((await send('1025_Ann.jpg', await jpeg(2))).code).toBe(510)
  expect((await client.call('GET', 'people')).data).toMatchObject({ total: 1, content: [{ name: '李华' }] })
})
