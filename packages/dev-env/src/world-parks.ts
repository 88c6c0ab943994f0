/** The parks of a world: public calls make each of them, and the administrator has a session in each. */
import { COMPANY, PARK } from '@gatehouse/server/contexts/organisation/data'
import type { Park } from '@gatehouse/server/platform/session/session'
import { confirmSession } from './accounts.ts'
import { ADMIN } from './administrator.ts'
import { logIn } from './client.ts'
import { createSite, type Site } from './site.ts'
import type { WorldPark, WorldParts } from './world-types.ts'

/** Return the site of a park, with a session of the administrator in it. */
export async function siteOf(parts: WorldParts, park: Park): Promise<Site> {
  const { url, authority } = parts
  const { access_token: bearer } = await logIn(parts.nobody, { ...ADMIN, areaCode: park.areaCode })
  await confirmSession(parts.server, bearer)
  return createSite({ url, bearer, park, next: parts.next, authority })
}

/** @param first the first park, to whose company the new one belongs */
export async function addPark(
  parts: WorldParts,
  first: Park,
  { name = `Park ${parts.next()}`, zone = first.zone }: WorldPark = {},
): Promise<Site> {
  const organisation = parts.server.contexts.organisation.service
  const company = organisation.get(organisation.get(first.id)!.parentId!)!
  if (company.type !== COMPANY) throw new Error('the first park does not belong to a company')
  const id = await organisation.add({
    areaCode: `2${String(parts.next()).padStart(5, '0')}`,
    name,
    type: PARK,
    parkType: 1,
    parentId: company.id,
    zone,
  })
  return siteOf(parts, organisation.park({ parkId: id }))
}
