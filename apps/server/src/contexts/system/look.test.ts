/** The branding of the installation, in general and for one of its domains, before a user has logged in. */
import { request } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lookCalls, type Look } from '@gatehouse/contract/system/look'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const colour = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
const uploaded = async (use: 'logo' | 'background' | 'face', background = '#123456'): Promise<string> =>
  (await world.call(uploadCalls.uploadImage, { body: { use }, file: await colour(background) })).url
const nobody = () => createClient(world.url)

/** Send a request without a token, under another name than the server's own. */
function askAs<Data>(host: string, { url }: { url: string }): Promise<Data> {
  return new Promise((resolve, reject) => {
    request(world.url + url, { headers: { host } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve((JSON.parse(text) as { data: Data }).data))
    })
      .on('error', reject)
      .end()
  })
}
const lookAs = (host: string): Promise<Look> => askAs(host, lookCalls.uiConfig)
/** Return the middle pixel of a public picture. */
async function pixelAt(address: string): Promise<number[]> {
  const response = await fetch(world.url + address)
  expect(response.status).toBe(200)
  return [
    ...(await sharp(Buffer.from(await response.arrayBuffer()))
      .resize(1, 1)
      .removeAlpha()
      .raw()
      .toBuffer()),
  ]
}

describe('the look of the installation', () => {
  test('is readable without a token: name, logo, background [BEH-080]', async () => {
    expect(await nobody().call(lookCalls.uiConfig, {})).toEqual({
      showType: 'neutral',
      enableSystemName: true,
      systemName: 'Gatehouse',
      logoContent: '',
      background: '',
    })
    await world.call(lookCalls.changeUiConfig, {
      body: { showType: 'custom', enableSystemName: true, systemName: 'Harbour Works', logoContent: await uploaded('logo', '#ff0000') },
    })
    await world.call(lookCalls.changeBackground, { body: { background: await uploaded('background', '#00ff00') } })
    const look = await nobody().call(lookCalls.uiConfig, {})
    expect(look).toMatchObject({ showType: 'custom', enableSystemName: true, systemName: 'Harbour Works' })
    const [red] = await pixelAt(look.logoContent)
    expect(red).toBeGreaterThan(240)
    const [, green] = await pixelAt(look.background)
    expect(green).toBeGreaterThan(240)
    expect(await nobody().call(lookCalls.background, {})).toEqual({ background: look.background })
    expect(await nobody().call(lookCalls.domainLogo, {})).toMatchObject({ name: 'Harbour Works', logo: look.logoContent })
  })

  test('follows the show type: a neutral one shows no logo, and keeps it for later [BEH-201]', async () => {
    const { logoContent } = await nobody().call(lookCalls.uiConfig, {})
    await world.call(lookCalls.changeUiConfig, { body: { showType: 'neutral', enableSystemName: false, systemName: 'Harbour Works' } })
    expect(await nobody().call(lookCalls.uiConfig, {})).toMatchObject({ showType: 'neutral', enableSystemName: false, logoContent: '' })
    expect(await world.call(lookCalls.ownLook, {})).toMatchObject({ logoContent })
    await world.call(lookCalls.changeUiConfig, { body: { showType: 'custom', systemName: 'Harbour Works' } })
    expect(await nobody().call(lookCalls.uiConfig, {})).toMatchObject({ showType: 'custom', logoContent })
  })

  test('a picture that is replaced or taken away is no longer given out', async () => {
    const before = await nobody().call(lookCalls.uiConfig, {})
    await world.call(lookCalls.changeUiConfig, {
      body: { showType: 'custom', systemName: 'Harbour Works', logoContent: await uploaded('logo', '#0000ff'), background: '' },
    })
    const after = await nobody().call(lookCalls.uiConfig, {})
    expect(after.background).toBe('')
    expect(after.logoContent).not.toBe(before.logoContent)
    await pixelAt(after.logoContent)
    for (const gone of [before.logoContent, before.background]) expect((await fetch(world.url + gone)).status).toBe(404)
  })

  test('whoever changed it meanwhile is not overwritten, and the picture that came with the refused change is not given out', async () => {
    const { version } = await world.call(lookCalls.ownLook, {})
    await world.call(lookCalls.changeUiConfig, { body: { showType: 'custom', systemName: 'One', version } })
    const { logoContent } = await world.call(lookCalls.ownLook, {})
    const answer = await world.ask(lookCalls.changeUiConfig, {
      body: { showType: 'custom', systemName: 'Other', logoContent: await uploaded('logo'), version },
    })
    expect(answer.status).toBe(409)
    expect(await world.call(lookCalls.ownLook, {})).toMatchObject({ systemName: 'One', logoContent })
    await pixelAt(logoContent)
  })

  test('takes no picture that was not uploaded for it: neither a face, nor one of another park, nor an address made up', async () => {
    const other = await world.addPark()
    const foreign = await other.call(uploadCalls.uploadImage, { body: { use: 'logo' }, file: await colour('#111111') })
    const signed = await uploaded('logo')
    for (const logoContent of [
      await uploaded('face'),
      foreign.url,
      signed.replace(/s=.*/, 's=guessed'),
      '/public/00000000-0000-7000-8000-000000000001/full',
      'http://elsewhere.example.org/x.png',
    ]) {
      const answer = await world.ask(lookCalls.changeUiConfig, { body: { showType: 'custom', logoContent } })
      expect(answer, logoContent).toMatchObject({ status: 400, data: { fields: [{ path: 'logoContent', rule: 'picture' }] } })
    }
  })

  test('a name has at most 100 characters [VAL-201]', async () => {
    const change = (systemName: string) => world.ask(lookCalls.changeUiConfig, { body: { showType: 'custom', systemName } })
    expect((await change('字'.repeat(100))).code).toBe(0)
    expect(await change('字'.repeat(101))).toMatchObject({ status: 400, data: { fields: [{ path: 'systemName', rule: 'max.string' }] } })
    const remark = (text: string) => world.ask(lookCalls.addDomain, { body: { address: 'http://remark.example.org', remark: text } })
    expect(await remark('x'.repeat(101))).toMatchObject({ status: 400, data: { fields: [{ path: 'remark', rule: 'max.string' }] } })
    expect((await remark('x'.repeat(100))).code).toBe(0)
  })
})

describe('domains', () => {
  beforeEach(async () => {
    const { content } = await world.call(lookCalls.domains, { query: { size: 100 } })
    for (const { id } of content) await world.call(lookCalls.removeDomain, { params: { id } })
    await world.call(lookCalls.changeUiConfig, {
      body: { showType: 'custom', systemName: 'Harbour Works', logoContent: await uploaded('logo') },
    })
  })
  const add = (body: { address: string; name?: string }) => world.ask(lookCalls.addDomain, { body })

  test('an address is required [VAL-193]', async () => {
    expect(await add({ address: '' })).toMatchObject({ status: 400, data: { fields: [{ path: 'address', rule: 'required' }] } })
    expect(await add({ address: '   ' })).toMatchObject({ status: 400, data: { fields: [{ path: 'address', rule: 'required' }] } })
    expect(await world.ask(lookCalls.addDomain, { body: {} as never })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'address', rule: 'required' }] },
    })
  })

  test('it starts with http or https [VAL-197]', async () => {
    for (const address of ['gate.example.org', 'ftp://gate.example.org', '192.168.1.20:8080'])
      expect(await add({ address }), address).toMatchObject({ status: 400, data: { fields: [{ path: 'address', rule: 'url' }] } })
    expect((await add({ address: 'http://gate.example.org' })).code).toBe(0)
    expect((await add({ address: 'HTTPS://secure.example.org/' })).code).toBe(0)
  })

  test('an ill-formed one is refused with 100415 [VAL-194]', async () => {
    for (const address of [
      'http://',
      'https://gate example.org',
      'http://gate..example.org',
      'http://-gate.example.org',
      'http://gate.example.org:99999',
      'http://gate.example.org/console',
      'http://user:word@gate.example.org',
      'http://gate.example.org?x=1',
      'not a domain',
      'http://gate.example.org:８０',
    ])
      expect(await add({ address }), address).toMatchObject({ status: 200, code: 100415, data: { fields: [{ path: 'address' }] } })
    for (const address of ['http://10.0.0.7:8080', 'http://[2001:db8::1]:8080', 'https://园区.example.org', 'http://gatehouse'])
      expect((await add({ address })).code, address).toBe(0)
  })

  test('one that exists is refused with 100416, however it is written [VAL-195]', async () => {
    expect((await add({ address: 'http://gate.example.org' })).code).toBe(0)
    for (const address of ['http://gate.example.org', 'https://GATE.example.org/', 'http://gate.example.org:80'])
      expect(await add({ address }), address).toMatchObject({ status: 200, code: 100416, data: { fields: [{ path: 'address' }] } })
    expect((await add({ address: 'http://gate.example.org:8080' })).code).toBe(0)
    const { content } = await world.call(lookCalls.domains, { query: {} })
    const other = content.find(({ address }) => address.endsWith(':8080'))!
    expect(await world.ask(lookCalls.changeDomain, { body: { id: other.id, address: 'http://gate.example.org' } })).toMatchObject({
      code: 100416,
    })
    expect((await world.ask(lookCalls.changeDomain, { body: { id: other.id, address: other.address, name: 'The same' } })).code).toBe(0)
  })

  test('two who add the same one at the same moment: one is refused', async () => {
    const codes = (await Promise.all(Array.from({ length: 4 }, () => add({ address: 'http://race.example.org' })))).map(({ code }) => code)
    expect(codes.toSorted((a, b) => a - b)).toEqual([0, 100416, 100416, 100416])
  })

  test('name and logo follow the domain one comes by [BEH-201]', async () => {
    const [logo, bigScreenLogo] = [await uploaded('logo', '#ff00ff'), await uploaded('logo', '#00ffff')]
    await world.call(lookCalls.addDomain, {
      body: { address: 'https://gate.example.org', name: 'North Gate', showType: 'custom', logo, bigScreenLogo },
    })
    await world.call(lookCalls.addDomain, { body: { address: 'http://plain.example.org:8080', showType: 'neutral' } })
    const everywhere = await nobody().call(lookCalls.uiConfig, {})
    const north = await lookAs('gate.example.org')
    expect(north).toMatchObject({ showType: 'custom', systemName: 'North Gate', background: everywhere.background })
    const [red, green, blue] = await pixelAt(north.logoContent)
    expect([red! > 240, green! < 15, blue! > 240]).toEqual([true, true, true])
    expect(await lookAs('GATE.example.org')).toEqual(north)
    expect(await lookAs('plain.example.org:8080')).toMatchObject({ showType: 'neutral', systemName: 'Harbour Works', logoContent: '' })
    expect(await lookAs('plain.example.org')).toEqual(everywhere)
    expect(await lookAs('unknown.example.org')).toEqual(everywhere)
    const logos = await askAs<{ name: string; logo: string; bigScreenLogo: string }>('gate.example.org', lookCalls.domainLogo)
    expect(logos).toMatchObject({ name: 'North Gate', logo: north.logoContent })
    expect(logos.bigScreenLogo).not.toBe(logos.logo)
    await pixelAt(logos.bigScreenLogo)
  })

  test('what is changed or removed shows at once, on its pictures too', async () => {
    const { id } = await world.call(lookCalls.addDomain, {
      body: { address: 'http://gate.example.org', name: 'North', showType: 'custom', logo: await uploaded('logo') },
    })
    const { logoContent } = await lookAs('gate.example.org')
    const { version, logo } = (await world.call(lookCalls.domains, { query: {} })).content[0]!
    expect(logo).toBe(logoContent)
    // The form sends back what it was shown.
    await world.call(lookCalls.changeDomain, {
      body: { id, version, address: 'http://gate.example.org', name: 'South', showType: 'custom', logo },
    })
    expect(await lookAs('gate.example.org')).toMatchObject({ systemName: 'South', logoContent })
    expect(
      (await world.ask(lookCalls.changeDomain, { body: { id, version, address: 'http://gate.example.org', name: 'West' } })).status,
    ).toBe(409)
    await world.call(lookCalls.removeDomain, { params: { id } })
    expect(await lookAs('gate.example.org')).toMatchObject({ systemName: 'Harbour Works' })
    expect((await fetch(world.url + logoContent)).status).toBe(404)
    expect((await world.ask(lookCalls.removeDomain, { params: { id } })).status).toBe(404)
  })

  test('each organisation sees its own and those below it; only the root changes them', async () => {
    const other = await world.addPark()
    await world.call(lookCalls.addDomain, { body: { address: 'http://here.example.org', organisationId: world.park.id } })
    await world.call(lookCalls.addDomain, { body: { address: 'http://there.example.org', organisationId: other.park.id } })
    const client = await world.session({ permissions: ['system.domainName'], roleSign: 'parkAdmin' })
    const { total, content } = await client.call(lookCalls.domains, { query: {} })
    expect(total).toBe(1)
    expect(content).toMatchObject([{ address: 'http://here.example.org', organisationName: world.park.name }])
    expect(await client.ask(lookCalls.addDomain, { body: { address: 'http://more.example.org' } })).toMatchObject({
      status: 403,
      code: 100510,
    })
    expect((await (await world.session({ permissions: [] })).ask(lookCalls.domains, { query: {} })).status).toBe(403)
    expect((await world.call(lookCalls.domains, { query: { address: 'THERE' } })).content).toHaveLength(1)
  })
})
