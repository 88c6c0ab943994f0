/** Accounts, roles, sessions. */
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { identityHandlers } from './calls.ts'
import { sessionChanged } from './events.ts'
import { openLoginKey, type LoginKey } from './login-key.ts'
import { identityMigrations } from './schema.ts'
import { createIdentityService, type IdentityService } from './service.ts'

export type { IdentityService } from './service.ts'

export interface IdentityContext extends Context {
  service: IdentityService
}

/** The browser's own client: public, without a secret. */
const PUBLIC_CLIENT = 'console'
export const isPublicClient = (id: string, secret: string): boolean => id === PUBLIC_CLIENT && secret === ''

export function createIdentity(platform: Platform, organisation: OrganisationService): IdentityContext {
  let loginKey: LoginKey | null = null
  const key = (): LoginKey => {
    if (loginKey === null) throw new Error('the login key is opened at start')
    return loginKey
  }
  const service = createIdentityService(platform, organisation, key)
  platform.events.consume({ name: 'identity.sessions', mode: 'everyNode', handlers: [on(sessionChanged, ({ payload }) => service.forget(payload.tokenId))] })
  return {
    name: 'identity',
    service,
    calls: identityHandlers(service, key),
    migrations: identityMigrations,
    jobs: [
      {
        name: 'identity.dropExpiredTokens',
        schedule: '17 * * * *',
        run: async () => ({ outcome: 'success', note: `${await service.dropExpired()} dropped` }),
      },
    ],
    async start() {
      loginKey = await openLoginKey(platform.secrets)
      await service.start()
    },
  }
}
