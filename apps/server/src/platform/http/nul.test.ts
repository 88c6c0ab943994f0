/** NUL, which PostgreSQL cannot store, on the ways into the server without a schema, and in the last check before the database. */
import { request } from 'node:http'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemCalls } from '@gatehouse/contract/system/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { openDatabase, requestErrorOf, sql } from '../database/database.ts'
import { nulPath, unstorablePath } from './nul.ts'
import { scratchDatabase } from '../postgres/scratch.ts'
import { InvalidRequest } from './refusal.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const statusOf = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.url)
    request({ hostname, port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })

const basic = (code: string): Record<string, string> => ({ authorization: `Basic ${Buffer.from(`${code}:secret`).toString('base64')}` })

test('a device code with NUL is that of no device', async () => {
  const manifest = '/deviceService/uface/v1/manifest'
  expect(await statusOf(manifest, basic('DOOR\0'))).toBe(401)
  expect(await statusOf(manifest, basic('DOOR%00'))).toBe(401)
})

test('a file id with NUL names no file', async () => {
  const later = Date.now() + 60_000
  expect(await statusOf(`/files/a%00b/full?e=${later}&s=x`)).toBe(404)
  expect(await statusOf(`/public/a%00b/full`)).toBe(404)
})

test('the broker lets nobody in under a name with NUL', async () => {
  const client = mqtt.connect(`mqtt://127.0.0.1:${world.server.mqttPort}`, { username: 'DOOR\0', password: 'x', reconnectPeriod: 0 })
  onTestFinished(() => void client.end(true))
  const code = await new Promise((resolve) => client.once('error', (error) => resolve((error as { code?: unknown }).code)))
  // Not authorised, rather than "come again".
  expect(code).toBe(5)
})

test('a name of a field is looked at as its value is', () => {
  expect(nulPath({ a: { 'b\0': 1 } })).toBe('a')
  expect(nulPath({ a: [{ b: 'c\0' }] })).toBe('a.0.b')
  expect(nulPath({ a: { b: 1 } })).toBeNull()
})

const inEach = (text: string) => ({ 'zh-CN': text, 'zh-TW': text, en: text })

test('half a character in a request is a wrong field, not something that does not exist', async () => {
  expect(unstorablePath({ a: { 'b\ud800': 1 } })).toBe('a')
  expect(unstorablePath({ a: ['\u{1F600}'] })).toBeNull()
  const answer = await world.client.ask(systemCalls.addNotice, { body: { title: inEach('a\ud800'), content: inEach('b') } })
  expect(answer).toMatchObject({ status: 400, data: { fields: [{ path: 'title.zh-CN', rule: 'invalid' }] } })
})

test('no text with NUL is sent to the database, whichever way it came', async () => {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const handle = openDatabase(database.connectionString)
  onTestFinished(handle.close)
  for (const value of ['a\0b', ['a', 'b\0']]) {
    const error: unknown = await sql`SELECT ${sql.val(value)}::text`.execute(handle.db).then(
      () => null,
      (reason: unknown) => reason,
    )
    // Not the message of PostgreSQL, which was not queried.
    expect((error as Error).message).toBe('a text with NUL cannot be stored')
    expect(requestErrorOf(error)).toBeInstanceOf(InvalidRequest)
  }
  expect((await sql<{ length: number }>`SELECT length(${Buffer.from('a\0b')}::bytea) AS length`.execute(handle.db)).rows).toEqual([
    { length: 3 },
  ])
  const client = await handle.client()
  await expect((async () => client.query('SELECT $1::text', ['a\0b']))()).rejects.toThrow('a text with NUL')
  await client.end()
})
