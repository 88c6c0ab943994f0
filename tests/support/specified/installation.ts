/** The installation as a whole (M04): its branding, domains, notices, addresses, and its operation log. */
import sharp from 'sharp'
import { expect, onTestFinished } from 'vitest'
import { until } from '../until.ts'
import { askToken, loggedIn, newName } from './accounts.ts'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'
import product from '../../../package.json' with { type: 'json' }

/** How often the server of the file was requested to restart. */
export const restarts = { asked: 0 }

/** Return a picture of one colour as a browser reads it from a file. */
async function picture(colour: string): Promise<string> {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${bytes.toString('base64')}`
}
/** Return the colour of a picture that is public. */
async function colourAt({ world }: Pick<Ground, 'world'>, address: unknown): Promise<string> {
  const response = await fetch(new URL(String(address), world.url))
  expect(response.status, `picture at ${String(address)}`).toBe(200)
  const { dominant } = await sharp(Buffer.from(await response.arrayBuffer())).stats()
  return [dominant.r, dominant.g, dominant.b].map((part) => (part > 127 ? 'f' : '0')).join('')
}

const UI = '/system/ui/config'
const BACKGROUND = '/system/ui/background/config'

const inThreeLanguages = (text: string) => ({ 'zh-CN': `${text} 简`, 'zh-TW': `${text} 繁`, en: text })
async function newNotice({ done }: Integrator): Promise<{ id: string; title: object; content: object }> {
  const words = { title: inThreeLanguages(`Upgrade ${newName()}`), content: inThreeLanguages('Tonight at ten.') }
  return { ...(await done<{ id: string }>('biz', 'POST', '/system/notice', words)), ...words }
}

/** Create a domain that exists until the test ends: links of the installation begin with one. */
async function newDomain(
  { done, ask }: Integrator,
  { address = `https://${newName()}.example.org`, ...options }: Json & { address?: string } = {},
): Promise<{ id: string; address: string }> {
  const { id } = await done<{ id: string }>('biz', 'POST', '/domain', { address, ...options })
  onTestFinished(async () => void (await ask('biz', 'DELETE', `/domain/${id}`)))
  return { id, address }
}
const domainsNamed = ({ listed }: Integrator, address: string): Promise<Json[]> =>
  listed('biz', 'GET', `/domain/list?address=${encodeURIComponent(address)}`)

export const lookCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-057',
    service: 'biz',
    method: 'GET',
    path: UI,
    does: 'tells name and look of the installation before a login',
    async holds(ground) {
      await ground.done('biz', 'POST', UI, { systemName: 'Harbour Gates', enableSystemName: true })
      const look = await ground.by(null).done('biz', 'GET', UI)
      bears(look, 'SystemConfig')
      expect(look).toMatchObject({ systemName: 'Harbour Gates', enableSystemName: true })
    },
  },
  {
    id: 'CALL-058',
    service: 'biz',
    method: 'POST',
    path: UI,
    does: 'sets the five fields, whose pictures everybody sees, and keeps what is left out; not for everybody',
    async holds(ground) {
      await ground.done('biz', 'POST', UI, {
        showType: 'custom',
        enableSystemName: false,
        systemName: 'North Gates',
        logoContent: await picture('#f00'),
        background: await picture('#00f'),
      })
      const look = await ground.by(null).done('biz', 'GET', UI)
      expect(look).toMatchObject({ showType: 'custom', enableSystemName: false, systemName: 'North Gates' })
      expect([await colourAt(ground, look['logoContent']), await colourAt(ground, look['background'])]).toEqual(['f00', '00f'])
      await ground.done('biz', 'POST', UI, { ...look, systemName: 'South Gates' })
      expect(await ground.by(null).done('biz', 'GET', UI)).toEqual({ ...look, systemName: 'South Gates' })
      const user = await loggedIn(ground)
      expect(await user.ask('biz', 'POST', UI, { systemName: 'Mine' })).toMatchObject({ status: 403, code: 100510 })
      await ground.done('biz', 'POST', UI, { showType: 'neutral' })
      expect(await ground.by(null).done('biz', 'GET', UI)).toMatchObject({ showType: 'neutral', systemName: 'South Gates' })
    },
  },
  {
    id: 'CALL-062',
    service: 'biz',
    method: 'GET',
    path: BACKGROUND,
    does: 'tells the background of the login page before a login',
    async holds(ground) {
      await ground.done('biz', 'POST', BACKGROUND, { background: await picture('#0f0') })
      const { background } = await ground.by(null).done('biz', 'GET', BACKGROUND)
      expect(await colourAt(ground, background)).toBe('0f0')
    },
  },
  {
    id: 'CALL-063',
    service: 'biz',
    method: 'POST',
    path: BACKGROUND,
    does: 'sets it, and takes it away again; refuses what is no picture',
    async holds(ground) {
      await ground.done('biz', 'POST', BACKGROUND, { background: await picture('#ff0') })
      const { background } = await ground.by(null).done('biz', 'GET', BACKGROUND)
      expect(await colourAt(ground, background)).toBe('ff0')
      const none = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`
      expect(await ground.ask('biz', 'POST', BACKGROUND, { background: none })).toMatchObject({ code: 200205 })
      await ground.done('biz', 'POST', BACKGROUND, { background: '' })
      expect(await ground.by(null).done('biz', 'GET', BACKGROUND)).toEqual({ background: '' })
    },
  },
]

export const domainCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-076',
    service: 'biz',
    method: 'POST',
    path: '/domain',
    does: 'adds a domain with name, logos and show type; refuses a bad address and one that is taken',
    async holds(ground) {
      const { id, address } = await newDomain(ground, {
        name: 'West Gate',
        logo: await picture('#f00'),
        bigScreenLogo: await picture('#00f'),
        showType: 'custom',
      })
      const [domain] = await domainsNamed(ground, address)
      expect(domain).toMatchObject({ id, address, name: 'West Gate', showType: 'custom' })
      expect([await colourAt(ground, domain!['logo']), await colourAt(ground, domain!['bigScreenLogo'])]).toEqual(['f00', '00f'])
      expect(await ground.ask('biz', 'POST', '/domain', { address })).toMatchObject({ code: 100416 })
      expect(await ground.ask('biz', 'POST', '/domain', { address: 'https://not a domain' })).toMatchObject({ code: 100415 })
    },
  },
  {
    id: 'CALL-077',
    service: 'biz',
    method: 'PUT',
    path: '/domain',
    does: 'takes back what was read, with what changed, and keeps the rest; refuses the address of another',
    async holds(ground) {
      const [{ id, address }, other] = [await newDomain(ground, { name: 'East', logo: await picture('#f00') }), await newDomain(ground)]
      const [read] = await domainsNamed(ground, address)
      await ground.done('biz', 'PUT', '/domain', { ...read, name: 'Far East', showType: 'custom' })
      await ground.done('biz', 'PUT', '/domain', { id, bigScreenLogo: await picture('#0f0') })
      const [changed] = await domainsNamed(ground, address)
      expect(changed).toMatchObject({ id, address, name: 'Far East', showType: 'custom', logo: read!['logo'] })
      expect(await colourAt(ground, changed!['bigScreenLogo'])).toBe('0f0')
      expect(await ground.ask('biz', 'PUT', '/domain', { id, address: other.address })).toMatchObject({ code: 100416 })
    },
  },
  {
    id: 'CALL-078',
    service: 'biz',
    method: 'DELETE',
    path: '/domain/{id}',
    does: 'deletes a domain, whose address is free again',
    async holds(ground) {
      const { id, address } = await newDomain(ground)
      await ground.done('biz', 'DELETE', `/domain/${id}`)
      expect(await domainsNamed(ground, address)).toEqual([])
      expect((await ground.ask('biz', 'DELETE', `/domain/${id}`)).status).toBe(404)
      expect((await newDomain(ground, { address })).id).not.toBe(id)
    },
  },
  {
    id: 'CALL-079',
    service: 'biz',
    method: 'GET',
    path: '/domain/list',
    does: 'lists domains in pages, by name',
    async holds(ground) {
      const name = `Listed ${newName()}`
      const { id } = await newDomain(ground, { name })
      await newDomain(ground)
      const found = await ground.listed('biz', 'GET', `/domain/list?name=${encodeURIComponent(name)}`)
      expect(found).toEqual([expect.objectContaining({ id, name, showType: 'neutral' })])
      bears(found[0]!, 'Domain')
      expect(await ground.listed('biz', 'GET', '/domain/list?page=1&size=1')).toHaveLength(1)
    },
  },
  {
    id: 'CALL-080',
    service: 'biz',
    method: 'GET',
    path: '/domain/logo',
    does: 'gives the logos of the domain it is asked under, without a token',
    async holds(ground) {
      const { id } = await newDomain(ground, {
        address: ground.world.url,
        name: 'This very gate',
        logo: await picture('#f0f'),
        showType: 'custom',
      })
      const answered = await ground.by(null).done('biz', 'GET', '/domain/logo')
      expect(answered).toMatchObject({ name: 'This very gate', showType: 'custom' })
      expect(await colourAt(ground, answered['logo'])).toBe('f0f')
      await ground.done('biz', 'DELETE', `/domain/${id}`)
      expect(await ground.by(null).done('biz', 'GET', '/domain/logo')).not.toMatchObject({ name: 'This very gate' })
    },
  },
]

export const installationCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-059',
    service: 'biz',
    method: 'GET',
    path: '/system/info',
    does: 'tells the version to whoever is logged in',
    async holds(ground) {
      const user = await loggedIn(ground)
      expect(await user.done('biz', 'GET', '/system/info')).toMatchObject({ version: product.version })
      expect(await ground.by(null).ask('biz', 'GET', '/system/info')).toMatchObject({ status: 401, code: 100412 })
    },
  },
  {
    id: 'CALL-060',
    service: 'biz',
    method: 'POST',
    path: '/system/saveipaddress',
    does: 'sets the address under which the installation is reached: links begin with it',
    async holds(ground) {
      await ground.done('biz', 'POST', '/system/saveipaddress?ip=192.168.1.20')
      const { link } = await ground.done<{ link: string }>('biz', 'GET', `/areaCodes/infoQrCode?id=${ground.park.park.id}`)
      expect(new URL(link).hostname).toBe('192.168.1.20')
      expect((await ground.ask('biz', 'POST', '/system/saveipaddress?ip=192.168.1.256')).status).toBe(400)
    },
  },
  {
    id: 'CALL-061',
    service: 'biz',
    method: 'POST',
    path: '/system/restartserver',
    does: 'has the server start again, not for everybody',
    async holds(ground) {
      const [before, user] = [restarts.asked, await loggedIn(ground)]
      expect(await user.ask('biz', 'POST', '/system/restartserver')).toMatchObject({ status: 403, code: 100510 })
      expect(restarts.asked).toBe(before)
      await ground.done('biz', 'POST', '/system/restartserver')
      await until('the restart', () => restarts.asked === before + 1)
    },
  },
  {
    id: 'CALL-067',
    service: 'biz',
    method: 'GET',
    path: '/system/third/config',
    does: 'tells the address of the third-party monitor and not its secret',
    async holds(ground) {
      await ground.done('biz', 'POST', '/system/third/config', { address: 'https://one.example.org/', secret: 'between-us' })
      const config = await ground.done('biz', 'GET', '/system/third/config')
      expect(config).toMatchObject({ address: 'https://one.example.org/' })
      expect(JSON.stringify(config)).not.toContain('between-us')
      expect((await (await loggedIn(ground)).ask('biz', 'GET', '/system/third/config')).status).toBe(403)
    },
  },
  {
    id: 'CALL-068',
    service: 'biz',
    method: 'POST',
    path: '/system/third/config',
    does: 'sets it, so that the entry of the menu opens; refuses what is no address',
    async holds(ground) {
      await ground.done('biz', 'POST', '/system/third/config', { address: 'https://two.example.org/x', secret: 'between-us' })
      expect(await ground.done<string>('biz', 'GET', '/third/getLoginUrl')).toMatch(/^https:\/\/two\.example\.org\/x\?/)
      const read = await ground.done('biz', 'GET', '/system/third/config')
      await ground.done('biz', 'POST', '/system/third/config', { ...read, address: 'https://three.example.org/' })
      expect(await ground.done<string>('biz', 'GET', '/third/getLoginUrl')).toMatch(/^https:\/\/three\.example\.org\//)
      expect((await ground.ask('biz', 'POST', '/system/third/config', { address: 'ftp://four.example.org' })).status).toBe(400)
    },
  },
  {
    id: 'CALL-069',
    service: 'biz',
    method: 'GET',
    path: '/system/bid/option',
    does: 'tells which values bid takes, each of which can be set',
    async holds(ground) {
      const user = await loggedIn(ground)
      const { options } = await user.done<{ options: number[] }>('biz', 'GET', '/system/bid/option')
      expect(options).toEqual([0, 1])
      for (const value of options) {
        await ground.done('biz', 'GET', `/system/bid/set?value=${value}`)
        expect(await user.done('biz', 'GET', '/system/bid/info')).toMatchObject({ value })
      }
    },
  },
  {
    id: 'CALL-070',
    service: 'biz',
    method: 'GET',
    path: '/system/bid/set',
    does: 'sets bid, not for everybody and to no other value',
    async holds(ground) {
      for (const value of [1, 0]) {
        await ground.done('biz', 'GET', `/system/bid/set?value=${value}`)
        expect(await ground.done('biz', 'GET', '/system/bid/info')).toMatchObject({ value })
      }
      expect((await ground.ask('biz', 'GET', '/system/bid/set?value=2')).status).toBe(400)
      expect((await (await loggedIn(ground)).ask('biz', 'GET', '/system/bid/set?value=1')).status).toBe(403)
      expect(await ground.done('biz', 'GET', '/system/bid/info')).toMatchObject({ value: 0 })
    },
  },
  {
    id: 'CALL-071',
    service: 'biz',
    method: 'GET',
    path: '/system/bid/info',
    does: 'tells how bid stands, and since when, to whoever is logged in',
    async holds(ground) {
      const user = await loggedIn(ground)
      await ground.done('biz', 'GET', '/system/bid/set?value=0')
      const before = ground.world.clock.now()
      await ground.done('biz', 'GET', '/system/bid/set?value=1')
      const { value, changedAt } = await user.done('biz', 'GET', '/system/bid/info')
      expect(value).toBe(1)
      expect(changedAt).toBeGreaterThanOrEqual(before)
    },
  },
]

export const noticeCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-064',
    service: 'biz',
    method: 'POST',
    path: '/system/notice',
    does: 'publishes a notice in three languages to everybody, and none that lacks one',
    async holds(ground) {
      const { id, title, content } = await newNotice(ground)
      const user = await loggedIn(ground)
      expect(await user.listed('biz', 'GET', '/system/notice')).toContainEqual(expect.objectContaining({ id, title, content }))
      const lacking = { title: { en: 'Upgrade', 'zh-CN': '升级' }, content }
      expect((await ground.ask('biz', 'POST', '/system/notice', lacking)).status).toBe(400)
      expect((await user.ask('biz', 'POST', '/system/notice', { title, content })).status).toBe(403)
    },
  },
  {
    id: 'CALL-065',
    service: 'biz',
    method: 'GET',
    path: '/system/notice',
    does: 'lists notices in pages, the newest first',
    async holds(ground) {
      const ids = [(await newNotice(ground)).id, (await newNotice(ground)).id]
      const list = await ground.listed('biz', 'GET', '/system/notice?page=1&size=2')
      expect(list.map(({ id }) => id)).toEqual(ids.toReversed())
      bears(list[0]!, 'UpgradeNotice')
      expect((await ground.listed('biz', 'GET', '/system/notice?page=2&size=1')).map(({ id }) => id)).toEqual([ids[0]])
    },
  },
  {
    id: 'CALL-066',
    service: 'biz',
    method: 'GET',
    path: '/system/notice/last',
    does: 'tells the latest notice',
    async holds(ground) {
      await newNotice(ground)
      const { id, title, content } = await newNotice(ground)
      const last = await (await loggedIn(ground)).done('biz', 'GET', '/system/notice/last')
      bears(last, 'UpgradeNotice')
      expect(last).toMatchObject({ id, title, content })
    },
  },
]

export const logCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-081',
    service: 'biz',
    method: 'GET',
    path: '/log/data',
    does: 'lists what was done, by account, operator, module and source, in pages',
    async holds(ground) {
      const { username, realName } = await ground.done<{ username: string; realName: string }>('as', 'GET', '/users/profile')
      const log = (query: Record<string, string>) =>
        ground.listed('biz', 'GET', `/log/data?${new URLSearchParams({ page: '1', size: '100', ...query }).toString()}`)
      const name = `Logged ${newName()}`
      const permissions = { person: ['person.list'], system: ['system.role'] }
      await ground.done('as', 'POST', '/roles', { name, permissions })
      const client = await ground.done<{ ApiKey: string; ApiSecret: string }>('as', 'POST', '/clients/api-client', {
        name: `Program ${newName()}`,
      })
      const { areaCode } = ground.park.park
      const { access_token: token } = await askToken(ground, { grant_type: 'client_credentials', areaCode }, [
        client.ApiKey,
        client.ApiSecret,
      ])
      await ground.by(token).done('as', 'POST', '/roles', { name: `${name} too`, permissions })
      await ground.world.settled()
      const made = (entry: Json, role: string): boolean => String(entry['content']).endsWith(role)
      const byHand = await log({ account: username, operator: realName, module: 'system', source: 'local' })
      const [entry] = byHand.filter((one) => made(one, name))
      bears(entry!, 'OperationLog')
      expect(entry).toMatchObject({ account: username, operator: realName, module: 'system', source: 'local' })
      expect(byHand.filter((one) => made(one, `${name} too`))).toEqual([])
      const byProgram = await log({ account: client.ApiKey, source: 'thirdParty' })
      expect(byProgram.filter((one) => made(one, `${name} too`))).toHaveLength(1)
      expect(byProgram.filter((one) => made(one, name))).toEqual([])
      const others: Record<string, string>[] = [{ module: 'device' }, { account: 'no-such-account' }, { operator: 'Nobody at all' }]
      for (const other of others) expect((await log(other)).filter((one) => made(one, name))).toEqual([])
      expect(await log({ size: '1' })).toHaveLength(1)
    },
  },
]
