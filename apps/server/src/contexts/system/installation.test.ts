/** The versions of the installation and the addresses at which it is reached. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { lookCalls } from '@gatehouse/contract/system/look'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { until } from '../../../../../tests/support/until.ts'
import product from '../../../../../package.json' with { type: 'json' }

let world: World
let restarts = 0
let now = Date.UTC(2026, 10, 21, 8)
beforeAll(async () => {
  world = await startWorld({
    clock: { now: () => now },
    config: { privatised: false, lite: true, upgradeService: true },
    onRestart: () => void restarts++,
  })
})
afterAll(() => world?.stop())

test('everybody learns version and kind of the installation, and no more than that', async () => {
  const guard = await world.session({ permissions: [], roleSign: 'other' })
  expect(await guard.call(installationCalls.info, {})).toEqual({
    version: product.version,
    lite: true,
    privatised: false,
    zone: expect.any(String),
    mail: false,
    thirdParty: false,
    upgradeService: true,
  })
  // The role determines whether a user is shown the link to it.
  expect((await guard.call(identityCalls.profile, {})).deviceUpgradeType).toBe(1)
  expect((await guard.ask(installationCalls.details, {})).status).toBe(403)
  now += 90_000
  expect(await world.call(installationCalls.details, {})).toMatchObject({
    uptime: 90,
    runtime: `Node.js ${process.versions.node}`,
    database: expect.stringMatching(/^PostgreSQL \d+/),
    engine: { kind: 'builtin' },
    restartable: true,
  })
})

test('the licence of every part it runs on can be read', async () => {
  const { content } = await world.call(installationCalls.licences, {})
  expect(content[0]).toMatchObject({ name: 'gatehouse', licence: 'Apache-2.0' })
  expect(content.find(({ name }) => name === 'fastify')).toMatchObject({
    licence: 'MIT',
    text: expect.stringContaining('Permission is hereby granted'),
  })
  expect(content.filter(({ name, licence }) => name !== 'gatehouse' && licence === '').map(({ name }) => name)).toEqual([])
})

test('the address it is reached by is an IP address or host name, with a port if need be', async () => {
  const save = (ip: string) => world.ask(installationCalls.saveIpAddress, { query: { ip } })
  const { port } = world.server
  for (const [ip, address] of [
    ['192.168.1.20', `http://192.168.1.20:${port}`],
    ['Gate.Example.org', `http://gate.example.org:${port}`],
    ['10.0.0.7:9000', 'http://10.0.0.7:9000'],
    ['2001:db8::1', `http://[2001:db8::1]:${port}`],
    ['[2001:DB8::1]:9000', 'http://[2001:db8::1]:9000'],
  ] as const) {
    expect((await save(ip)).data.address, ip).toBe(address)
    expect((await world.call(installationCalls.details, {})).address).toBe(address)
  }
  for (const ip of [
    '192.168.1',
    '256.1.1.1',
    '1.2.3.4.5',
    'gate_1',
    '-gate',
    'gate example',
    'http://gate',
    '10.0.0.7:0',
    '10.0.0.7:70000',
    '10.0.0.7:',
    '[10.0.0.7]',
    'gate/console',
    '<script>',
  ])
    expect(await save(ip), ip).toMatchObject({ status: 400, data: { fields: [{ path: 'ip', rule: 'host' }] } })
  expect(await save('')).toMatchObject({ status: 400, data: { fields: [{ path: 'ip', rule: 'required' }] } })
})

test('digits of another script mean the same address and port [FIELD-5]', async () => {
  for (const ip of ['１９２．１６８．１．２０：８０９０', '١٩٢.١٦٨.١.٢٠:٨٠٩٠', '१९२.१६८.१.२०:८०९०'])
    expect(await world.call(installationCalls.saveIpAddress, { query: { ip } })).toEqual({
      ip: '192.168.1.20:8090',
      address: 'http://192.168.1.20:8090',
    })
  expect((await world.ask(installationCalls.saveIpAddress, { query: { ip: '192.168.一.20' } })).status).toBe(400)
})

test('where the installation is reached, and where the monitor is, are asked for with the password', async () => {
  const unconfirmed = await world.session({
    roleSign: 'admin',
    organisationId: world.server.contexts.organisation.service.root().id,
    confirmed: false,
  })
  for (const answer of [
    await unconfirmed.ask(installationCalls.saveIpAddress, { query: { ip: '10.6.6.6' } }),
    await unconfirmed.ask(installationCalls.changeThirdConfig, { body: { address: 'https://elsewhere.example.org', secret: 'x' } }),
    await unconfirmed.ask(organisationCalls.removeDemo, {}),
  ])
    expect(answer).toMatchObject({ status: 403, data: { fields: [{ rule: 'passwordNeeded' }] } })
})

test('links lead to the domain of the organisation, else to the address that was set', async () => {
  const { system, organisation } = world.server.contexts
  await world.call(installationCalls.saveIpAddress, { query: { ip: '10.0.0.7:8080' } })
  const other = await world.addPark()
  await world.call(lookCalls.addDomain, { body: { address: 'https://here.example.org', organisationId: world.park.id } })
  expect(system.publicAddress(world.park.id)).toBe('https://here.example.org')
  expect(system.publicAddress(other.park.id)).toBe('http://10.0.0.7:8080')
  // The QR code of a park too, whichever address requested it.
  const { link } = await world.call(areaCalls.qrCodeInfo, { query: { id: other.park.id, address: 'http://localhost:8080' } })
  expect(link).toMatch(/^http:\/\/10\.0\.0\.7:8080\/#\/associatedPark\?/)
  await world.call(lookCalls.addDomain, {
    body: { address: 'https://company.example.org', organisationId: organisation.service.get(world.park.id)!.parentId! },
  })
  expect(system.publicAddress(other.park.id)).toBe('https://company.example.org')
  expect(system.publicAddress()).toBe('http://10.0.0.7:8080')
})

test('a restart is answered first and then happens', async () => {
  await world.call(installationCalls.restart, {})
  expect(restarts).toBe(0)
  await until('the restart', () => restarts === 1)
  expect((await (await world.session()).ask(installationCalls.restart, {})).status).toBe(403)
  expect(restarts).toBe(1)
})

test('the third-party monitor opens with a signed token that tells who comes, and is refused in words where none is set up', async () => {
  const guard = await world.session({ permissions: [], roleSign: 'other' })
  const nothing = await guard.ask(installationCalls.loginUrl, {})
  expect(nothing).toMatchObject({ status: 400, message: 'No third-party monitor is set up.', data: { fields: [{ rule: 'noThirdParty' }] } })
  expect(await world.ask(installationCalls.changeThirdConfig, { body: { address: 'https://monitor.example.org' } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'secret', rule: 'required' }] },
  })
  expect(await world.ask(installationCalls.changeThirdConfig, { body: { address: 'javascript:alert(1)', secret: 'x' } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'address', rule: 'url' }] },
  })
  await world.call(installationCalls.changeThirdConfig, {
    body: { address: 'https://monitor.example.org/enter?lang=zh', secret: 'known to both' },
  })
  expect(await world.call(installationCalls.thirdConfig, {})).toMatchObject({
    address: 'https://monitor.example.org/enter?lang=zh',
    secret: '',
    secretsSet: ['secret'],
  })
  // Changing the address alone keeps the secret.
  await world.call(installationCalls.changeThirdConfig, { body: { address: 'https://monitor.example.org/login?lang=zh' } })
  expect((await guard.call(installationCalls.info, {})).thirdParty).toBe(true)
  const url = new URL(await guard.call(installationCalls.loginUrl, {}))
  expect(url.origin + url.pathname + url.searchParams.get('lang')).toBe('https://monitor.example.org/loginzh')
  const [head, claims, signature] = url.searchParams.get('token')!.split('.') as [string, string, string]
  expect(createHmac('sha256', 'known to both').update(`${head}.${claims}`).digest('base64url')).toBe(signature)
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { area: string; iat: number; exp: number }
  expect(read).toMatchObject({ iss: 'gatehouse', area: world.park.areaCode })
  expect(read.exp - Math.floor(now / 1000)).toBe(120)
  await world.call(installationCalls.changeThirdConfig, { body: { address: '' } })
  expect((await guard.ask(installationCalls.loginUrl, {})).status).toBe(400)
})

test('the secret of the monitor is stored encrypted', async () => {
  await world.call(installationCalls.changeThirdConfig, { body: { address: 'https://monitor.example.org', secret: 'never in clear' } })
  const { rows } = await sql<{ value: unknown; secrets: Buffer }>`SELECT value, secrets FROM setting WHERE name = 'system.third'`.execute(
    world.server.platform.db,
  )
  expect(JSON.stringify(rows[0]!.value)).not.toContain('never in clear')
  expect(rows[0]!.secrets.toString('latin1')).not.toContain('never in clear')
})

test('the tender switch: its options, what it is set to, and since when', async () => {
  const guard = await world.session({ permissions: [], roleSign: 'other' })
  expect(await guard.call(installationCalls.bidOption, {})).toEqual({ options: [0, 1] })
  expect(await guard.call(installationCalls.bidInfo, {})).toEqual({ value: 0, changedAt: null })
  expect(await world.call(installationCalls.setBid, { query: { value: 1 } })).toEqual({ value: 1 })
  expect(await guard.call(installationCalls.bidInfo, {})).toEqual({ value: 1, changedAt: now })
  expect((await guard.ask(installationCalls.setBid, { query: { value: 0 } })).status).toBe(403)
  expect((await world.ask(installationCalls.setBid, { query: { value: 2 as never } })).status).toBe(400)
  // The call changes something: a token in its address is not enough.
  const { bearer } = world.client.credentials as { bearer: string }
  expect((await fetch(`${world.url}${installationCalls.setBid.url}?value=0&st=${bearer}`)).status).toBe(401)
  expect(await guard.call(installationCalls.bidInfo, {})).toMatchObject({ value: 1 })
})
