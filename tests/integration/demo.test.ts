/**
 * The demo campus: created through public calls, resumed where it was interrupted, removed completely.
 * @module-tag extended
 */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { demoCampusOf, startDemo, type Demo } from '@gatehouse/dev-env/demo/demo'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { makeCertificate } from '@gatehouse/server/platform/transport/own-certificate'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Start the demo as `npm start` does; interrupt it after this many steps. */
async function startAndBreakOff(steps: number): Promise<Demo> {
  const stopping = new AbortController()
  const campus = await demoCampusOf(world.server)
  if (campus === null) throw new Error('there is no demo campus')
  const demo = await startDemo(world.server, campus, stopping.signal)
  if (demo === null) throw new Error('the demo campus was removed')
  const before = (await world.call(organisationCalls.demo, {})).done
  await demo.fill(({ done }) => {
    if (done >= before + steps) stopping.abort()
  })
  await demo.stop()
  return demo
}

const persons = async () => (await world.call(peopleCalls.list, { query: { size: 100 } })).content

test('its essentials are there at once, and a start after a break goes on', async () => {
  const first = await startAndBreakOff(2)
  expect(await world.call(organisationCalls.parkInfo, {})).toMatchObject({ parkName: '滨海产业园', zone: 'Asia/Shanghai' })
  const { state, done, total } = await world.call(organisationCalls.demo, {})
  expect(state).toBe('preparing')
  expect(total).toBeGreaterThan(200)
  const before = await persons()
  expect(before.length).toBeGreaterThanOrEqual(20)
  expect(done).toBeGreaterThanOrEqual(20)

  const second = await startAndBreakOff(3)
  const after = await persons()
  expect(after.length).toBeGreaterThan(before.length)
  expect(new Set(after.map(({ workNumber }) => workNumber)).size).toBe(after.length)
  expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
  // The terminal keeps its secret over a restart.
  expect(second.terminal).toEqual(first.terminal)
  const devices = (await world.call(deviceCalls.list, { query: {} })).content
  expect(devices.map(({ code }) => code).toSorted()).toEqual(['DEMO-1', 'DEMO-2', 'DEMO-3'])
})

test('at its terminal nobody passes who was not permitted', async () => {
  const terminal = (await world.call(deviceCalls.list, { query: { code: 'DEMO-1' } })).content[0]!
  const strategies = (await world.call(strategyCalls.find, { body: {} })).content
  const there = strategies.filter(
    ({ deviceIds, deviceGroupIds }) => deviceIds.includes(terminal.id) || deviceGroupIds.includes(terminal.groupId!),
  )
  expect(there).toHaveLength(1)
  expect(there[0]!.personCount).toBeGreaterThan(0)
  expect(there[0]!.personCount).toBeLessThan((await persons()).length / 2)
})

test('removed, it is not made again', async () => {
  const { removed } = await world.call(organisationCalls.removeDemo, {})
  expect(removed['persons']).toBeGreaterThan(20)
  expect(await world.call(organisationCalls.demo, {})).toEqual({ state: 'none', done: 0, total: 0 })
  expect(await persons()).toEqual([])
  expect(await demoCampusOf(world.server)).toBeNull()
  await world.interrupted(async () => {})
  expect(await demoCampusOf(world.server)).toBeNull()
})

test('it is made over https too, whatever name the certificate is for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'))
  const [certificateFile, keyFile] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  writeFileSync(keyFile, key)
  writeFileSync(certificateFile, makeCertificate(key, ['gate.example'], Date.now()))
  const encrypted = await startWorld({ config: { tls: { kind: 'files', certificateFile, keyFile } } })
  const stopping = new AbortController()
  try {
    const campus = await demoCampusOf(encrypted.server)
    const demo = await startDemo(encrypted.server, campus!, stopping.signal)
    stopping.abort()
    await demo!.stop()
    expect((await encrypted.call(peopleCalls.list, { query: { size: 100 } })).total).toBeGreaterThan(0)
  } finally {
    await encrypted.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('an installation somebody uses is left alone', async () => {
  const used = await startWorld()
  await used.person()
  const campus = await demoCampusOf(used.server)
  const name = used.server.contexts.organisation.service.get(used.park.id)!.name
  await used.stop()
  expect(campus).toBeNull()
  expect(name).toBe(used.park.name)
})
