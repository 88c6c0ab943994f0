/** Relations between parks (M07), as point 7.4 of calls.txt and the entity LinkedParkApplication name them. */
import { expect } from 'vitest'
import type { MadePerson, Site } from '@gatehouse/dev-env/world'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'

const OWN_PARK = 1_100_001
const DUPLICATE = 1_100_002
const ALREADY_LINKED = 1_100_003
const NOT_OPEN = 1_100_004

type Abroad = Integrator & { park: Site }

/** Return the code by which others apply to a park. */
const codeOf = async ({ done }: Integrator): Promise<unknown> =>
  (await done('biz', 'GET', '/areaCodes/getVerificationCode'))['verificationCode']

/** Apply from the park of the file to a new one, about one person. */
async function applied(ground: Ground) {
  const host = await ground.elsewhere()
  const [person, authorisationCode] = [await ground.park.person(), await codeOf(host)]
  const { id } = await ground.done<{ id: string }>('biz', 'POST', '/relation/config', { authorisationCode, personIds: [person.id] })
  return { id, host, person, authorisationCode }
}

/** Create a new park that lets one person of the park of the file pass. */
export async function linkedPark(ground: Ground): Promise<{ id: string; host: Abroad; person: MadePerson; authorisationCode: unknown }> {
  const application = await applied(ground)
  await application.host.done('biz', 'PUT', '/relation/config', { id: application.id, status: 'agreed' })
  return application
}

const relationsOf = ({ listed }: Integrator) => listed('biz', 'GET', '/relation/config/list?page=1&size=100')
const relationOf = async (by: Integrator, id: string) => (await relationsOf(by)).find((relation) => relation['id'] === id)
const sharedWith = async ({ listed }: Integrator) =>
  (await listed('biz', 'GET', '/person/relation/list?page=1&size=100')).map(({ id }) => id)

export const parkRelationCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-141',
    service: 'biz',
    method: 'GET',
    path: '/relation/config/parks',
    does: 'names the parks that can be applied to: not the own one, nor any applied to already',
    async holds(ground) {
      // A user who manages the company manages both parks, and chooses from those.
      const organisation = ground.world.server.contexts.organisation.service
      const company = organisation.get(ground.park.park.id)!.parentId!
      const manager = await ground.world.session({ park: ground.park.park, organisationId: company })
      const by = ground.by((manager.credentials as { bearer: string }).bearer)
      const parks = () => by.done<Json[]>('biz', 'GET', '/relation/config/parks')
      const { park } = await ground.elsewhere()
      const before = await parks()
      expect(before).toContainEqual(expect.objectContaining({ id: park.park.id, parkName: park.park.name, areaCode: park.park.areaCode }))
      expect(before.map(({ id }) => id)).not.toContain(ground.park.park.id)
      await by.done('biz', 'POST', '/relation/config', { applicationPark: ground.park.park.id, receivingPark: park.park.id })
      expect((await parks()).map(({ id }) => id)).not.toContain(park.park.id)
    },
  },
  {
    id: 'CALL-142',
    service: 'biz',
    method: 'GET',
    path: '/relation/config/list',
    does: 'lists applications in pages, for both parks and no third',
    async holds(ground) {
      const { id, host, authorisationCode } = await applied(ground)
      const received = (await relationOf(host, id))!
      bears(received, 'LinkedParkApplication')
      const parks = { applicationPark: ground.park.park.name, receivingPark: host.park.park.name }
      expect(received).toMatchObject({ ...parks, authorisationCode, status: 'applied' })
      const sent = (await relationOf(ground, id))!
      bears(sent, 'LinkedParkApplication')
      expect(sent).toMatchObject({ ...parks, status: 'applied' })
      await applied(ground)
      expect(await ground.listed('biz', 'GET', '/relation/config/list?page=1&size=1')).toHaveLength(1)
      expect(await relationsOf(await ground.elsewhere())).toEqual([])
    },
  },
  {
    id: 'CALL-143',
    service: 'biz',
    method: 'POST',
    path: '/relation/config',
    does: 'applies by the authorisation code of the other park; refuses the own park, a second application, and a park linked already',
    async holds(ground) {
      const { id, host, person, authorisationCode } = await applied(ground)
      expect(await relationOf(host, id)).toMatchObject({ applicationPark: ground.park.park.name, status: 'applied', personCount: 1 })
      expect(await relationOf(ground, id)).toMatchObject({ personIds: [person.id] })
      const apply = (code: unknown) => ground.ask('biz', 'POST', '/relation/config', { authorisationCode: code })
      expect(await apply(await codeOf(ground))).toMatchObject({ code: OWN_PARK })
      expect(await apply(authorisationCode)).toMatchObject({ code: DUPLICATE })
      await host.done('biz', 'PUT', '/relation/config', { id, status: 'agreed' })
      expect(await apply(authorisationCode)).toMatchObject({ code: ALREADY_LINKED })
      expect((await apply('NOBODYSCOD')).code).not.toBe(0)
    },
  },
  {
    id: 'CALL-144',
    service: 'biz',
    method: 'PUT',
    path: '/relation/config',
    does: 'agrees, by which people are shared, and dismisses, by which they are no longer; the park that applied cannot agree',
    async holds(ground) {
      const { id, host, person } = await applied(ground)
      expect(await ground.ask('biz', 'PUT', '/relation/config', { id, status: 'agreed' })).toMatchObject({ code: NOT_OPEN })
      expect(await sharedWith(host)).toEqual([])
      await host.done('biz', 'PUT', '/relation/config', { ...(await relationOf(host, id))!, status: 'agreed' })
      expect(await relationOf(ground, id)).toMatchObject({ status: 'agreed', personIds: [person.id] })
      expect(await sharedWith(host)).toEqual([person.id])
      await ground.done('biz', 'PUT', '/relation/config', { id, status: 'dismissed' })
      expect(await relationOf(host, id)).toMatchObject({ status: 'dismissed' })
      expect(await sharedWith(host)).toEqual([])
      const refused = await applied(ground)
      await refused.host.done('biz', 'PUT', '/relation/config', { id: refused.id, status: 'refused' })
      expect(await relationOf(ground, refused.id)).toMatchObject({ status: 'refused' })
    },
  },
  {
    id: 'CALL-145',
    service: 'biz',
    method: 'DELETE',
    path: '/relation/config/{id}',
    does: 'takes an application back for both; a link is dismissed first',
    async holds(ground) {
      const { id, host } = await applied(ground)
      await ground.done('biz', 'DELETE', `/relation/config/${id}`)
      for (const by of [ground, host]) expect(await relationOf(by, id)).toBeUndefined()
      expect((await ground.ask('biz', 'DELETE', `/relation/config/${id}`)).status).toBe(404)
      const link = await linkedPark(ground)
      expect(await ground.ask('biz', 'DELETE', `/relation/config/${link.id}`)).toMatchObject({ code: NOT_OPEN })
      expect(await relationOf(link.host, link.id)).toMatchObject({ status: 'agreed' })
    },
  },
]
