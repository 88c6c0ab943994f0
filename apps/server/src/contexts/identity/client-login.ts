/** Logins of API users. */
import { timingSafeEqual } from 'node:crypto'
import type { Platform } from '../../platform/context.ts'
import * as data from './client-data.ts'
import { hashOf } from './client-secrets.ts'
import type { ClientParts, ClientService } from './clients-types.ts'
import { refusedLogin } from './login-refusals.ts'

export function createClientLogin(
  platform: Platform,
  { organisation, sessions }: Pick<ClientParts, 'organisation' | 'sessions'>,
): Pick<ClientService, 'authenticate' | 'logIn'> {
  async function authenticate(key: string, secret: string): Promise<data.ApiClientRow | null> {
    const row = await data.findClientUnscoped(platform.db, { apiKey: key })
    // Compared in any case, so that an unknown key takes as long as a wrong secret.
    const fits = timingSafeEqual(row?.secretHash ?? hashOf('nobody'), hashOf(secret))
    return row !== undefined && fits ? row : null
  }

  return {
    authenticate,
    async logIn({ id: key, secret }, areaCode, { ip, agent }) {
      const client = await authenticate(key, secret)
      if (client === null) throw refusedLogin(100412)
      if (!client.enabled) throw refusedLogin(901)
      const parks = organisation.parksBelow(client.organisationId)
      const park = areaCode === undefined ? parks[0] : parks.find((one) => one.areaCode === areaCode)
      if (park === undefined) throw refusedLogin(100413)
      return platform.transaction(async (tx) => {
        await data.updateClientStateUnscoped(tx, client.id, { lastUsedAt: platform.clock.now() })
        platform.audit.actAs({ parkId: park.id, userId: client.id, account: client.apiKey, operator: client.name, source: 'thirdParty' })
        return sessions.issue(tx, {
          owner: { clientId: client.id },
          parkId: park.id,
          ip,
          agent,
          accessSeconds: client.accessSeconds,
          refreshSeconds: client.refreshSeconds,
        })
      })
    },
  }
}
