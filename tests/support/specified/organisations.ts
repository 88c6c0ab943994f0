/** Organisations, the codes parks are found by, and their device limits (M04). */
import sharp from 'sharp'
import { expect } from 'vitest'
import { newName } from './accounts.ts'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'

const HOUR = 3_600_000
const UNKNOWN = '01970000-0000-7000-8000-000000000000'

/** Return the company a park belongs to. */
export async function companyOf({ done, park }: Pick<Ground, 'done' | 'park'>): Promise<string> {
  return (await done<{ parentId: string }>('biz', 'GET', `/areaCodes/${park.park.id}`)).parentId
}
/** Create a company below that of the park. */
async function newCompany(ground: Ground, options: Json = {}): Promise<{ id: string; name: string }> {
  const name = `Company ${newName()}`
  const { id } = await ground.done<{ id: string }>('biz', 'PUT', '/areaCodes/add', {
    name,
    type: 200,
    parentId: await companyOf(ground),
    ...options,
  })
  return { id, name }
}
const read = ({ done }: Pick<Integrator, 'done'>, id: unknown): Promise<Json> => done('biz', 'GET', `/areaCodes/${String(id)}`)

let devices = 0
const addDevice = async ({ ask }: Integrator, type = 3): Promise<number> =>
  (await ask('biz', 'POST', '/device', { code: `SPEC-${++devices}`, name: `Specified ${devices}`, type, model: type === 1 ? 1 : 4 })).status

export const organisationCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-043',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/modules',
    does: 'tells which function modules an organisation has and could have',
    async holds(ground) {
      const { id } = await newCompany(ground, { modules: ['person', 'device'] })
      const modules = await ground.done<{ module: string; enabled: boolean }[]>('biz', 'GET', `/areaCodes/modules?id=${id}`)
      expect(
        modules
          .filter(({ enabled }) => enabled)
          .map(({ module }) => module)
          .toSorted(),
      ).toEqual(['device', 'person'])
      expect(modules.map(({ module }) => module)).toEqual(expect.arrayContaining(['alert', 'visitor', 'access']))
    },
  },
  {
    id: 'CALL-044',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/{id}',
    does: 'reads one organisation, with everything it has',
    async holds(ground) {
      const { park } = ground.park
      const found = await read(ground, park.id)
      bears(found, 'Organisation')
      expect(found).toMatchObject({ id: park.id, areaCode: park.areaCode, name: park.name, type: 300, parkType: 1 })
      expect(found['authorisationCode']).toMatch(/^[0-9A-Z]{10}$/)
      expect((await ground.ask('biz', 'GET', `/areaCodes/${UNKNOWN}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-045',
    service: 'biz',
    method: 'PUT',
    path: '/areaCodes/add',
    does: 'adds an organisation with every field of one; a park needs its type, and siblings have different names',
    async holds(ground) {
      const parent = await newCompany(ground)
      const fields = {
        name: 'North Campus',
        code: 'NC-01',
        type: 300,
        parkType: 3,
        parentId: parent.id,
        modules: ['person', 'access', 'device'],
      }
      const { id } = await ground.done('biz', 'PUT', '/areaCodes/add', fields)
      const added = await read(ground, id)
      expect({ ...added, modules: (added['modules'] as string[]).toSorted() }).toMatchObject({
        ...fields,
        modules: ['access', 'device', 'person'],
      })
      expect(await ground.listed('biz', 'GET', '/areaCodes/getParkList?page=0&size=20&name=North')).toEqual([
        expect.objectContaining({ parkName: 'North Campus', areaCode: added['areaCode'] }),
      ])
      expect(await ground.ask('biz', 'PUT', '/areaCodes/add', fields)).toMatchObject({ code: 900004 })
      expect((await ground.ask('biz', 'PUT', '/areaCodes/add', { name: 'South', type: 300, parentId: parent.id })).status).toBe(400)
    },
  },
  {
    id: 'CALL-046',
    service: 'biz',
    method: 'POST',
    path: '/areaCodes/update',
    does: 'takes back what was read, with what changed, and keeps the rest; closes no module that is on in a child',
    async holds(ground) {
      const company = await newCompany(ground, { modules: ['person', 'device', 'access'] })
      const { id } = await ground.done('biz', 'PUT', '/areaCodes/add', {
        name: 'Child',
        type: 300,
        parkType: 2,
        parentId: company.id,
        modules: ['person', 'device'],
      })
      const found = await read(ground, id)
      await ground.done('biz', 'POST', '/areaCodes/update', { ...found, name: 'Grown up', code: 'GU-2' })
      expect(await read(ground, id)).toMatchObject({ name: 'Grown up', code: 'GU-2', areaCode: found['areaCode'], parkType: 2 })
      await ground.done('biz', 'POST', '/areaCodes/update', { id, parkType: 1 })
      expect(await read(ground, id)).toMatchObject({ name: 'Grown up', code: 'GU-2', parkType: 1, modules: found['modules'] })
      const close = (organisationId: unknown, modules: string[]) =>
        ground.ask('biz', 'POST', '/areaCodes/update', { id: organisationId, modules })
      expect(await close(company.id, ['person', 'access'])).toMatchObject({ code: 200228 })
      expect(await close(id, ['person'])).toMatchObject({ code: 0 })
      expect(await close(company.id, ['person', 'access'])).toMatchObject({ code: 0 })
    },
  },
  {
    id: 'CALL-047',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/getQrCode',
    does: 'draws the QR code of a park, as wide as was asked for',
    async holds(ground) {
      const { id } = ground.park.park
      const { type, bytes } = await ground.file('biz', 'GET', `/areaCodes/getQrCode?id=${id}&expireTime=24&width=300`)
      expect(type).toBe('image/png')
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 300, height: 300 })
      const sooner = await ground.file('biz', 'GET', `/areaCodes/getQrCode?id=${id}&expireTime=1&width=300`)
      expect(sooner.bytes.equals(bytes)).toBe(false)
      expect((await ground.ask('biz', 'GET', `/areaCodes/getQrCode?id=${UNKNOWN}&expireTime=24&width=300`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-050',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/infoQrCode',
    does: 'tells what the QR code of a park says: the park, its code, and when it ends, a day from now unless told',
    async holds(ground) {
      const { id, name } = ground.park.park
      const { verificationCode } = await ground.done<{ verificationCode: string }>('biz', 'GET', `/areaCodes/getVerificationCode?id=${id}`)
      const codeOf = async (query = ''): Promise<Json & { link: string; expiresAt: number }> =>
        ground.done('biz', 'GET', `/areaCodes/infoQrCode?id=${id}${query}`)
      const { link, expiresAt, ...rest } = await codeOf()
      expect(rest).toMatchObject({ parkName: name, verificationCode })
      expect(link).toContain(verificationCode)
      const ahead = expiresAt - ground.world.clock.now()
      expect(Math.abs(ahead - 24 * HOUR)).toBeLessThan(HOUR / 30)
      expect((await codeOf('&expireTime=2')).expiresAt - ground.world.clock.now()).toBeLessThan(2.1 * HOUR)
    },
  },
  {
    id: 'CALL-048',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/getVerificationCode',
    does: 'tells the authorisation code of a park, ten digits or capital letters',
    async holds(ground) {
      const { id, name } = ground.park.park
      const answered = await ground.done('biz', 'GET', `/areaCodes/getVerificationCode?id=${id}`)
      expect(answered).toMatchObject({ id, parkName: name, verificationCode: expect.stringMatching(/^[0-9A-Z]{10}$/) })
      expect(answered['verificationCode']).toBe((await read(ground, id))['authorisationCode'])
      expect(await ground.done('biz', 'GET', '/areaCodes/getVerificationCode')).toEqual(answered)
    },
  },
  {
    id: 'CALL-049',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/byVerificationCode',
    does: 'finds a park by its authorisation code, from another park',
    async holds(ground) {
      const other = await ground.elsewhere()
      const { verificationCode } = await other.done('biz', 'GET', '/areaCodes/getVerificationCode')
      expect(await ground.done('biz', 'GET', `/areaCodes/byVerificationCode?code=${String(verificationCode)}`)).toMatchObject({
        parkName: other.park.park.name,
        areaCode: other.park.park.areaCode,
      })
      for (const wrong of ['0000000000', 'short']) {
        expect((await ground.ask('biz', 'GET', `/areaCodes/byVerificationCode?code=${wrong}`)).status).toBe(400)
      }
    },
  },
]

/** Create a park of its own with device limits set by the installation: one device of type 3 unless given. */
async function limitedPark(ground: Ground) {
  const other = await ground.elsewhere()
  const organisationId = other.park.park.id
  return {
    organisationId,
    add: (options: Json = {}): Promise<{ id: string }> =>
      ground.done('biz', 'POST', '/device/limit/add', { organisationId, deviceType: 3, limit: 1, ...options }),
    limits: (): Promise<Json[]> => ground.listed('biz', 'POST', '/device/limit/list', { organisationId }),
    device: (type?: number): Promise<number> => addDevice(other, type),
  }
}

export const deviceLimitCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-087',
    service: 'biz',
    method: 'POST',
    path: '/device/limit/list',
    does: 'lists the limits of institutions in pages',
    async holds(ground) {
      const { add, limits, organisationId } = await limitedPark(ground)
      const ids = [await add(), await add({ deviceType: 1, limit: 7 })].map(({ id }) => id)
      expect((await limits()).map(({ id }) => String(id)).toSorted()).toEqual(ids.toSorted())
      const page = await ground.listed('biz', 'POST', '/device/limit/list', { pageNo: 0, pageSize: 1 })
      expect(page).toHaveLength(1)
      bears(page[0]!, 'DeviceLimit')
      expect(await limits()).toContainEqual(expect.objectContaining({ id: ids[1], organisationId, deviceType: 1, limit: 7 }))
    },
  },
  {
    id: 'CALL-088',
    service: 'biz',
    method: 'POST',
    path: '/device/limit/add',
    does: 'lets an institution have no more devices of a type than that; one limit for each type',
    async holds(ground) {
      const { add, device, organisationId } = await limitedPark(ground)
      await add()
      expect([await device(), await device(), await device(1)]).toEqual([200, 400, 200])
      expect(await ground.ask('biz', 'POST', '/device/limit/add', { organisationId, deviceType: 3, limit: 2 })).toMatchObject({
        code: 900004,
      })
    },
  },
  {
    id: 'CALL-089',
    service: 'biz',
    method: 'POST',
    path: '/device/limit/update',
    does: 'changes a limit, so that one more device is taken; what was read can be sent back',
    async holds(ground) {
      const { add, limits, device } = await limitedPark(ground)
      const { id } = await add()
      expect([await device(), await device()]).toEqual([200, 400])
      const [found] = await limits()
      await ground.done('biz', 'POST', '/device/limit/update', { ...found, limit: 2 })
      expect(await limits()).toEqual([expect.objectContaining({ id, deviceType: 3, limit: 2 })])
      expect([await device(), await device()]).toEqual([200, 400])
    },
  },
  {
    id: 'CALL-090',
    service: 'biz',
    method: 'GET',
    path: '/device/limit/remove',
    does: 'takes a limit away',
    async holds(ground) {
      const { add, limits, device } = await limitedPark(ground)
      const { id } = await add({ limit: 0 })
      expect(await device()).toBe(400)
      await ground.done('biz', 'GET', `/device/limit/remove?id=${id}`)
      expect(await limits()).toEqual([])
      expect(await device()).toBe(200)
    },
  },
]
