/** Who may upload which packages for which devices: packages with and without a signature, and accounts with and without the permission. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import type { Answer, Client } from '@gatehouse/dev-env/client'
import { addTask, digestsOf, PACKAGE_KEY, packageOf, saveVersion, tarOf } from '@gatehouse/dev-env/packages'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'
import { until } from '../../../../../tests/support/until.ts'
import { readConfig } from '../../config.ts'
import { newId } from '../../platform/database/ids.ts'

let world: World
/** A server shared by many tests. It has the public key of the trusted packages. */
let shared: World
beforeAll(async () => {
  ;[world, shared] = await Promise.all([startWorld(), startWorld({ config: { privatised: false, upgradeKey: PACKAGE_KEY } })])
})
afterAll(() => Promise.all([world?.stop(), shared?.stop()]))

let number = 100
const next = () => String(++number)
const STRANGER = generateKeyPairSync('ed25519').privateKey
type Body = InputOf<(typeof upgradeCalls)['saveVersion']['body']>

async function handIn(by: Pick<Client, 'ask'>, fields: Partial<Body>, file: Buffer): Promise<Answer> {
  const md5 = createHash('md5').update(file).digest('hex')
  return by.ask(upgradeCalls.saveVersion, { body: { kind: 'client', versionNumber: '1', md5, ...fields } as Body, file })
}

/** Send as the administrator, and return the rule that was violated. */
async function refusedFor(where: World, fields: Partial<Body>, file: Buffer): Promise<string[]> {
  return fieldsRefused(await handIn(where, fields, file))
}

/** Return a session of an operator of the installation, by their role sign. */
const operator = (at: World, permissions: string[], confirmed = true): Promise<Client> =>
  at.session({ permissions, roleSign: 'operator', organisationId: at.server.contexts.organisation.service.root().id, confirmed })

test('the role sign of an administrator is not enough: what changes devices asks for the permission to upgrade them', async () => {
  const [without, granted] = [await operator(shared, ['system', 'system.log']), await operator(shared, ['device', 'device.upgrade'])]
  const versionNumber = next()
  const file = packageOf({ versionNumber, entry: 'main.js' }, { 'main.js': '' })
  const id = newId()
  const body = { versionId: id, codes: ['unknown'] }
  const asked = async (by: Client) => [
    await handIn(by, { versionNumber, updateType: 1 }, file),
    await by.ask(upgradeCalls.addTask, { body: { ...body, type: 1 } }),
    await by.ask(upgradeCalls.reach, { body }),
    await by.ask(upgradeCalls.approve, { params: { id } }),
    await by.ask(upgradeCalls.decline, { params: { id } }),
    await by.ask(upgradeCalls.retry, { params: { id }, body: {} }),
    await by.ask(upgradeCalls.cancel, { params: { id }, body: {} }),
    await by.ask(upgradeCalls.deleteVersion, { query: { id } }),
  ]
  for (const answer of await asked(without)) expect(answer).toMatchObject({ status: 403, code: 100510 })
  expect((await shared.call(upgradeCalls.allVersions, { query: {} })).map((version) => version.versionNumber)).not.toContain(versionNumber)
  expect((await asked(granted)).map(({ status }) => status)).toEqual([200, 400, 400, 404, 404, 404, 404, 404])
})

test('where the deployment gives the permission, a session that was left open hands in nothing', async () => {
  const left = await operator(world, ['system', 'system.log'], false)
  const versionNumber = next()
  const file = packageOf({ versionNumber, entry: 'main.js' }, { 'main.js': '' })
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  for (const answer of [
    await handIn(left, { versionNumber }, file),
    await left.ask(upgradeCalls.addTask, { body: { versionId, codes: ['unknown'], type: 1 } }),
  ])
    expect(answer).toMatchObject({ status: 403, data: { fields: [{ path: '', rule: 'passwordNeeded' }] } })
  expect((await world.call(upgradeCalls.tasks, { query: {} })).content.map((task) => task.versionId)).not.toContain(versionId)
})

test('a package for terminals is signed, and its manifest names exactly its files', async () => {
  const versionNumber = next()
  const files = { 'main.js': 'runs' }
  const manifest = { versionNumber, entry: 'main.js' }
  const refused = (bytes: Buffer) => refusedFor(world, { versionNumber }, bytes)
  expect(await refused(packageOf(manifest, files, { signedBy: null }))).toEqual(['file packageUnsigned'])
  const models = { kind: 'algorithm', versionNumber } as const
  expect(await refusedFor(world, models, packageOf(models, { 'models/model.json': '{}' }, { signedBy: null }))).toEqual([
    'file packageUnsigned',
  ])
  expect(await refused(tarOf({ 'manifest.json': '{}', 'manifest.sig': 'signed', ...files }))).toEqual(['file packageSignature'])
  for (const bytes of [
    packageOf({ ...manifest, files: digestsOf(files) }, { ...files, 'preload.js': '' }),
    packageOf({ ...manifest, files: digestsOf(files) }, { ...files, './main.js': '' }),
    packageOf({ ...manifest, files: digestsOf({ ...files, 'more.js': '' }) }, files),
    packageOf({ ...manifest, files: digestsOf(files) }, { ...files, '../out.js': '' }),
  ])
    expect(await refused(bytes)).toEqual(['file packageFiles'])
  expect(await refused(packageOf({ ...manifest, files: undefined as never }, files))).toEqual(['file packageManifest'])
  expect(await refused(packageOf(manifest, files).subarray(0, 2100))).toEqual(['file tar'])
  // This server cannot verify the signature; each terminal can.
  expect(await refused(packageOf(manifest, files, { signedBy: STRANGER }))).toEqual([])
})

test('a server that has the public key takes what was signed by the private one', async () => {
  const versionNumber = next()
  const one = (signedBy?: typeof STRANGER) =>
    packageOf({ versionNumber, entry: 'main.js' }, { 'main.js': '' }, { ...(signedBy && { signedBy }) })
  expect(await refusedFor(shared, { versionNumber }, one(STRANGER))).toEqual(['file packageSignature'])
  expect(await refusedFor(shared, { versionNumber }, one())).toEqual([])
  const [version] = (await shared.call(upgradeCalls.versions, { query: { versionNumber } })).content
  expect(version).toMatchObject({ versionNumber, signed: true })
})

test('the server is given a public key, and nothing else passes for one', () => {
  const folder = scratchFolder()
  const named = (content: string) => {
    const path = join(folder, 'key.pem')
    writeFileSync(path, content)
    return readConfig({ UPGRADE_KEY_FILE: path }).upgradeKey
  }
  expect(readConfig({}).upgradeKey).toBeNull()
  expect(named(PACKAGE_KEY)).toBe(PACKAGE_KEY)
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
  for (const content of ['', 'no key', other, STRANGER.export({ type: 'pkcs8', format: 'pem' }).toString()])
    expect(() => named(content)).toThrow('must name an Ed25519 public key')
})

test('a tar without a manifest is kept as what it is said to be, and is not handed to Gatehouse terminals', async () => {
  const unheard = await world.device()
  const [terminal, theirs] = [await world.terminal(), await world.device()]
  await world.settled()
  const bytes = (content: string) => tarOf({ 'readme.txt': content })
  const others = tarOf({ 'manifest.json': '{"vendor": "another"}', 'app.bin': 'runs' })
  for (const [kind, expected, file] of [
    ['client', 'client', bytes('one')],
    ['algorithm', 'algorithm', bytes('two')],
    [undefined, 'device', bytes('three')],
    ['client', 'client', others],
  ] as const) {
    const versionNumber = next()
    const md5 = createHash('md5').update(file).digest('hex')
    const body = { versionNumber, md5, ...(kind && { kind }) } as Body
    const answer = await world.ask(upgradeCalls.saveVersion, { body, file })
    expect(answer).toMatchObject({ code: 0 })
    const versionId = (answer.data as { id: string }).id
    const [version] = (await world.call(upgradeCalls.versions, { query: { versionNumber } })).content
    expect(version).toMatchObject({ kind: expected, signed: false, md5 })
    // Terminals alone: the task would have no effect.
    expect(await world.ask(upgradeCalls.addTask, { body: { versionId, deviceIds: [terminal.device.id] } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'deviceIds', rule: 'terminalsTakeSigned' }] },
    })
    const id = await addTask(world.client, { versionId, deviceIds: [terminal.device.id, theirs.id, unheard.id] })
    const { content } = await world.call(upgradeCalls.taskDevices, { params: { id }, query: {} })
    expect(content.find(({ deviceId }) => deviceId === terminal.device.id)).toMatchObject({ state: 'failed', reason: 'unsigned' })
    expect(content.find(({ deviceId }) => deviceId === theirs.id)).toMatchObject({ state: 'inProgress' })
  }
  // A package declared for terminals must be signed.
  const versionNumber = next()
  expect(
    await refusedFor(world, { versionNumber }, packageOf({ versionNumber, entry: 'a.js' }, { 'a.js': '' }, { signedBy: null })),
  ).toEqual(['file packageUnsigned'])
})

test('a package of another maker needs no signature, reaches devices of other makers, and is not offered to a terminal', async () => {
  const versionNumber = next()
  // Claims of another manufacturer's package are not checked.
  for (const bytes of [
    tarOf({ 'app.apk': 'an app' }),
    packageOf({ kind: 'device', name: 'door-of-others', versionNumber, files: undefined as never }, { 'app.apk': '' }, { signedBy: null }),
  ]) {
    const version = await saveVersion(
      world.client,
      { kind: 'device', versionNumber: next(), ...(bytes.length > 2048 && { versionNumber }) },
      bytes,
    )
    expect((await world.call(upgradeCalls.allVersions, { query: {} })).find(({ id }) => id === version.id)).toMatchObject({ signed: false })
  }
  const { id: versionId } = await saveVersion(world.client, { kind: 'device', versionNumber: next() }, tarOf({ 'app.apk': 'another' }))
  const [terminal, theirs, unheard] = [await world.terminal(), await world.device(), await world.device()]
  await world.settled()
  const body = { versionId, deviceIds: [terminal.device.id, theirs.id, unheard.id] }
  expect(await world.call(upgradeCalls.reach, { body })).toMatchObject({ devices: 3, unsigned: 1, superseded: 0 })
  const id = await addTask(world.client, body)
  const rows = async () => {
    const { content } = await world.call(upgradeCalls.taskDevices, { params: { id }, query: {} })
    return Object.fromEntries(content.map(({ deviceId, state, reason }) => [deviceId, [state, reason]]))
  }
  expect(await rows()).toEqual({
    [terminal.device.id]: ['failed', 'unsigned'],
    [theirs.id]: ['inProgress', null],
    [unheard.id]: ['inProgress', null],
  })
  // At another attempt the device is still a terminal.
  expect(await world.call(upgradeCalls.retry, { params: { id }, body: {} })).toEqual({ devices: 0 })
  expect((await rows())[terminal.device.id]).toEqual(['failed', 'unsigned'])
  // A device reports its kind when it connects, and may turn out to be a terminal.
  await world.terminal(unheard)
  await until('it to be left out', async () => (await rows())[unheard.id]![0] === 'failed')
  expect(await rows()).toMatchObject({ [unheard.id]: ['failed', 'unsigned'], [theirs.id]: ['inProgress', null] })
})
