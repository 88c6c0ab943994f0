import { afterAll, beforeAll, expect, test } from 'vitest'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import type { Answer } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'

const HOUR = 3_600_000
const steered = { now: () => Date.now() }

let world: World
let site: Site
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => steered.now() } })
  site = await world.addPark({ name: 'Harbour' })
})
afterAll(() => world?.stop())
const rulesOf = (answer: Answer) =>
  ((answer.data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []).map(({ path, rule }) => `${path} ${rule}`)
const codeOf = async (at: Site) => (await at.call(areaCalls.verificationCode, { query: {} })).verificationCode
const find = (query: { code: string; expires?: number; sign?: string }) => world.ask(areaCalls.byVerificationCode, { query })

test('a park has a code of ten digits or capital letters from the start, no two the same [VAL-192]', async () => {
  const made = [await codeOf(world), await codeOf(site), await codeOf(await world.addPark())]
  for (const code of made) expect(code).toMatch(/^[0-9A-Z]{10}$/)
  expect(new Set(made).size).toBe(3)
  for (const wrong of ['abcdefghij', 'ABCDE1234', 'ABCDE123456', 'ABCDE-1234', ''])
    expect(rulesOf(await find({ code: wrong })), wrong).toEqual(['code verificationCode'])
})

test('a code finds its park, from another one, without telling its id', async () => {
  expect((await find({ code: await codeOf(site) })).data).toEqual({
    parkName: 'Harbour',
    areaCode: site.park.areaCode,
    parkType: 1,
    companyName: 'Company',
  })
  expect(rulesOf(await find({ code: '0000000000' }))).toEqual(['code verificationCodeUnknown'])
})

test('a renewed code takes the place of the one before', async () => {
  const other = await world.addPark()
  const before = await codeOf(other)
  const { verificationCode } = await other.call(areaCalls.renewVerificationCode, { body: {} })
  expect(verificationCode).toMatch(/^[0-9A-Z]{10}$/)
  expect(await codeOf(other)).toBe(verificationCode)
  expect(rulesOf(await find({ code: before }))).toEqual(['code verificationCodeUnknown'])
  expect((await find({ code: verificationCode })).code).toBe(0)
})

test('the QR code’s link holds for a day unless told, and nobody makes one by hand', async () => {
  const { link, parkName, expiresAt } = await site.call(areaCalls.qrCodeInfo, {
    query: { id: site.park.id, address: 'https://gate.example.org/' },
  })
  expect(parkName).toBe('Harbour')
  expect(link).toMatch(/^https:\/\/gate\.example\.org\/#\/associatedPark\?/)
  expect(expiresAt % 60_000).toBe(0)
  expect(expiresAt - Date.now()).toBeGreaterThan(24 * HOUR - 60_000)
  expect(expiresAt - Date.now()).toBeLessThanOrEqual(24 * HOUR + 60_000)
  const said = new URLSearchParams(link.split('?')[1])
  const parts = { code: said.get('code')!, expires: Number(said.get('expires')), sign: said.get('sign')! }
  expect((await find(parts)).code).toBe(0)
  for (const changed of [{ expires: parts.expires + HOUR }, { sign: 'x'.repeat(32) }, { code: await codeOf(world) }, { sign: undefined }])
    expect(rulesOf(await find({ ...parts, ...changed } as typeof parts)), JSON.stringify(changed)).toEqual(['expires linkEnded'])
  const end = parts.expires
  steered.now = () => end
  const answer = await (await world.session()).ask(areaCalls.byVerificationCode, { query: parts })
  steered.now = () => Date.now()
  expect(rulesOf(answer)).toEqual(['expires linkEnded'])
})

test('where no address is named, the link of the QR code begins with the one it was asked at', async () => {
  const now = Date.now()
  steered.now = () => now
  const { bearer } = site.client.credentials as { bearer: string }
  const picture = async (more: Record<string, string>) => {
    const query = new URLSearchParams({ id: site.park.id, expireTime: '2', width: '320', ...more })
    const response = await fetch(`${world.url}${areaCalls.qrCode.url}?${query}`, { headers: { authorization: `Bearer ${bearer}` } })
    return Buffer.from(await response.arrayBuffer()).toString('base64')
  }
  const { link } = await site.call(areaCalls.qrCodeInfo, { query: { id: site.park.id, expireTime: 2 } })
  const [plain, named, other] = [
    await picture({}),
    await picture({ address: world.url }),
    await picture({ address: 'https://gate.example.org' }),
  ]
  steered.now = () => Date.now()
  expect(link.startsWith(`${world.url}/#/associatedPark?`)).toBe(true)
  expect(plain).toBe(named)
  expect(plain).not.toBe(other)
})

test('the QR code is a picture of the asked width', async () => {
  const { bearer } = site.client.credentials as { bearer: string }
  const response = await fetch(`${world.url}${areaCalls.qrCode.url}?id=${site.park.id}&width=320`, {
    headers: { authorization: `Bearer ${bearer}` },
  })
  expect(response.headers.get('content-type')).toBe('image/png')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  // Width and height of the header.
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([320, 320])
})

test('only a park has codes', async () => {
  const companyId = world.server.contexts.organisation.service.get(site.park.id)!.parentId!
  expect((await world.ask(areaCalls.qrCodeInfo, { query: { id: companyId } })).status).toBe(404)
  expect((await world.ask(areaCalls.verificationCode, { query: { id: companyId } })).status).toBe(404)
})
