/** Handlers of login and profile. */
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/refusal.ts'
import type { LoginKey } from './login-key.ts'
import type { IdentityService } from './service.ts'

/** A grant's parameter that the schema leaves optional because another grant lacks it. */
function required(value: string | undefined, path: string): string {
  if (value === undefined || value === '') throw new InvalidRequest([{ path, rule: 'required' }])
  return value
}

export function identityHandlers(service: IdentityService, loginKey: () => LoginKey): MountedCall[] {
  return [
    handler(identityCalls.token, async ({ body }) => {
      switch (body.grant_type) {
        case 'password':
          return service.login(required(body.username, 'username'), required(body.password, 'password'), body.areaCode)
        case 'refresh_token':
          return service.refresh(required(body.refresh_token, 'refresh_token'))
        case 'client_credentials':
          throw new InvalidRequest([{ path: 'grant_type', rule: 'oneOf', params: { values: 'password, refresh_token' } }])
      }
    }),
    handler(identityCalls.loginConfig, async () => ({ publicKey: loginKey().publicKey })),
    handler(identityCalls.keep, async ({ session }) => ({ expiresIn: await service.keep(session) })),
    handler(identityCalls.revoke, async ({ session }) => service.revoke(session)),
    handler(identityCalls.profile, async ({ session }) => {
      const [account, roles] = await Promise.all([service.account(session.userId), service.rolesOf(session.userId)])
      return {
        id: account.id,
        username: account.account,
        realName: account.realName,
        email: account.email,
        idCard: account.idCard,
        telephone: account.telephone,
        roleName: roles[0]?.name ?? '',
        roleSign: session.roleSign,
        parkAreaName: session.park.name,
        areaCode: session.park.areaCode,
        roles: roles.map(({ id, name, roleSign }) => ({ id, name, roleSign })),
        enablePageDataMasking: account.masking,
        deviceUpgradeType: 0,
        capabilities: { permissions: [...session.permissions], lite: false, privatised: true, modules: [] },
      }
    }),
  ]
}
