/** Parks in the shell (M03): the list, the switch, what a park offers, its customers; and the upload of pictures (M01). */
import sharp from 'sharp'
import { expect } from 'vitest'
import { portrait } from '@gatehouse/dev-env/portraits'
import { readXlsx } from '@gatehouse/server/platform/documents/testing/xlsx'
import { loggedIn } from './accounts.ts'
import { companyOf } from './organisations.ts'
import { bears, type Json, type SpecifiedCall } from './specified.ts'

const DAY = 86_400_000

const areaCodesIn = (parks: Json[]): unknown[] => parks.map(({ areaCode }) => areaCode)

export const parkCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-040',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/getParkList',
    does: 'lists the parks one may switch to, in pages from 0, searched by name',
    async holds(ground) {
      const { park: other } = await ground.elsewhere()
      const found = await ground.listed('biz', 'GET', `/areaCodes/getParkList?page=0&size=20&name=${encodeURIComponent(other.park.name)}`)
      expect(areaCodesIn(found)).toEqual([other.park.areaCode])
      bears(found[0]!, 'ParkListItem')
      const pages = [
        await ground.listed('biz', 'GET', '/areaCodes/getParkList?page=0&size=1'),
        await ground.listed('biz', 'GET', '/areaCodes/getParkList?page=1&size=1'),
      ].map(areaCodesIn)
      expect(pages.map(({ length }) => length)).toEqual([1, 1])
      expect(pages[0]).not.toEqual(pages[1])
      // A user of one of two parks sees that park only.
      const user = await loggedIn(ground)
      expect(await user.listed('biz', 'GET', '/areaCodes/getParkList')).toEqual([
        expect.objectContaining({
          parkName: ground.park.park.name,
          areaCode: ground.park.park.areaCode,
          roleName: `Role of ${user.account}`,
        }),
      ])
    },
  },
  {
    id: 'CALL-041',
    service: 'biz',
    method: 'POST',
    path: '/areaCodes/choicePark',
    does: 'takes a session to another park, by its area code; to none it may not see',
    async holds(ground) {
      const { park: other } = await ground.elsewhere()
      const user = await loggedIn(ground, { organisationId: await companyOf(ground) }, { roleSign: 'operator' })
      for (const { areaCode, name } of [other.park, ground.park.park]) {
        await user.done('biz', 'POST', '/areaCodes/choicePark', { areaCode })
        expect(await user.done('as', 'GET', '/users/profile')).toMatchObject({ parkAreaName: name })
      }
      const guard = await loggedIn(ground, {}, { roleSign: 'operator' })
      expect(await guard.ask('biz', 'POST', '/areaCodes/choicePark', { areaCode: other.park.areaCode })).toMatchObject({ code: 100413 })
      expect(await guard.done('as', 'GET', '/users/profile')).toMatchObject({ parkAreaName: ground.park.park.name })
    },
  },
  {
    id: 'CALL-096',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/parkInfo',
    does: 'tells what one may do in the park, its type and its flags',
    async holds(ground) {
      const other = await ground.elsewhere()
      const before = await other.done('biz', 'GET', '/areaCodes/parkInfo')
      bears(before, 'ParkInfo')
      expect(before).toMatchObject({ parkType: 1, showCustomerManagerFlag: 0, staffFaceRegisterFlag: 0, customerFaceRegisterFlag: 0 })
      await other.done('biz', 'POST', '/areaCodes/update', { id: other.park.park.id, parkType: 3 })
      const flags = { showCustomerManagerFlag: 1, staffFaceRegisterFlag: 0, customerFaceRegisterFlag: 1 }
      await other.done('biz', 'POST', '/areaCodes/update/config', flags)
      expect(await other.done('biz', 'GET', '/areaCodes/parkInfo')).toMatchObject({ parkType: 3, ...flags })
      const user = await loggedIn({ ...ground, ...other })
      const { resources } = await user.done('biz', 'GET', '/areaCodes/parkInfo')
      expect(resources).toContainEqual({ permissionCode: 'person.list' })
      expect(resources).not.toContainEqual({ permissionCode: 'device.list' })
    },
  },
  {
    id: 'CALL-095',
    service: 'biz',
    method: 'GET',
    path: '/third/getLoginUrl',
    does: 'gives an address of the third-party monitor that is set up, another one for each user',
    async holds(ground) {
      await ground.done('biz', 'POST', '/system/third/config', { address: 'https://monitor.example.org/entry', secret: 'between-us' })
      const user = await loggedIn(ground)
      const url = await user.done<string>('biz', 'GET', '/third/getLoginUrl')
      expect(url).toMatch(/^https:\/\/monitor\.example\.org\/entry\?/)
      expect(url).not.toContain('between-us')
      expect(url).not.toBe(await ground.done<string>('biz', 'GET', '/third/getLoginUrl'))
      await ground.done('biz', 'POST', '/system/third/config', { address: '' })
      expect((await user.ask('biz', 'GET', '/third/getLoginUrl')).status).toBe(400)
    },
  },
  {
    id: 'CALL-099',
    service: 'biz',
    method: 'GET',
    path: '/person/checkExpiredCustomers',
    does: 'answers 3 where there are no customers, 0 where none has expired, and 4 where there is a file',
    async holds(ground) {
      const { park, done } = await ground.elsewhere()
      const check = () => done('biz', 'GET', '/person/checkExpiredCustomers')
      const now = ground.world.clock.now()
      await park.person({ name: 'Staff', validTo: now - DAY })
      expect(await check()).toEqual({ status: 3 })
      await park.person({ kind: 'customer', validTo: now + 90 * DAY })
      expect(await check()).toEqual({ status: 0 })
      await park.person({ kind: 'customer', validTo: now - DAY })
      expect(await check()).toEqual({ status: 4 })
    },
  },
  {
    id: 'CALL-098',
    service: 'biz',
    method: 'GET',
    path: '/person/expiredCustomers',
    does: 'gives the expired customers as an xlsx file, and nobody else',
    async holds(ground) {
      const { park, file } = await ground.elsewhere()
      const now = ground.world.clock.now()
      await park.person({ name: 'Staff', validTo: now - DAY })
      await park.person({ name: 'Good for long', kind: 'customer', validTo: now + 90 * DAY })
      await park.person({ name: 'Over', kind: 'customer', validTo: now - DAY, phone: '13700137000' })
      const { bytes, type } = await file('biz', 'GET', '/person/expiredCustomers')
      expect(type).toContain('spreadsheetml')
      const { rows } = await readXlsx(new Uint8Array(bytes))
      const [heading, ...lines] = rows.map((row) => row.map(({ value }) => value))
      expect(heading).toContain('姓名')
      expect(lines).toHaveLength(1)
      expect(lines[0]).toEqual(expect.arrayContaining(['Over', '13700137000']))
    },
  },
]

/** Return a picture as a browser sends it. */
function picture(bytes: Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), 'picture.png')
  return form
}

export const uploadCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-157',
    service: 'biz',
    method: 'POST',
    path: '/upload/image',
    does: 'takes a picture and gives its address; refuses what is no picture, and one larger than its use allows',
    async holds(ground) {
      const { url } = await ground.done<{ url: string }>('biz', 'POST', '/upload/image', picture(await portrait('specified')))
      const shown = await fetch(new URL(url, ground.world.url))
      expect(shown.status).toBe(200)
      expect(shown.headers.get('content-type')).toMatch(/^image\//)
      expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).width).toBeGreaterThan(0)
      expect(await ground.ask('biz', 'POST', '/upload/image', picture(Buffer.from('no picture')))).toMatchObject({ code: 200205 })
      // The limit is 1 MB for a logo, 10 MB for a face.
      const noise = await sharp({
        create: { width: 900, height: 600, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 }, background: '#fff' },
      })
        .png()
        .toBuffer()
      expect(noise.length).toBeGreaterThan(1024 * 1024)
      expect((await ground.ask('biz', 'POST', '/upload/image', picture(noise, { use: 'logo' }))).status).toBe(413)
      expect((await ground.ask('biz', 'POST', '/upload/image', picture(noise, { use: 'face' }))).status).toBe(200)
    },
  },
]
