/** Handlers of login, session and own profile. */
import type { Language } from '@gatehouse/contract'
import { identityCalls, type Tokens } from '@gatehouse/contract/identity/calls'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { ClientCredentials, Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Login } from './login.ts'
import type { LoginKeys } from './login-key.ts'
import type { Nonces } from './login-nonce.ts'
import { refusedLogin } from './login-refusals.ts'
import type { OwnAccount } from './own-types.ts'
import { capabilitiesOf } from './policy.ts'
import { roleName } from './ready-roles.ts'
import { PUBLIC_CLIENT } from './session-refresh.ts'
import type { Sessions } from './sessions-types.ts'

/**
 * Return a parameter of a grant. The schema leaves it optional because another grant lacks it. @throws InvalidRequest where it is missing
 */
function required(value: string | undefined, path: string): string {
  if (value === undefined || value === '') throw new InvalidRequest([{ path, rule: 'required' }])
  return value
}

/** Issue tokens to an API user whose credentials are valid. */
export type ClientLogin = (
  credentials: ClientCredentials,
  areaCode: string | undefined,
  from: { ip: string; agent: string },
) => Promise<Tokens>

export interface IdentityParts {
  login: Login
  clientLogin: ClientLogin
  sessions: Sessions
  own: OwnAccount
  loginKeys: LoginKeys
  nonces: Nonces
  organisation: OrganisationService
}

export function identityHandlers(
  platform: Platform,
  { login, clientLogin, sessions, own, loginKeys, nonces, organisation }: IdentityParts,
): MountedCall[] {
  async function refresh(refreshToken: string | undefined, { id }: ClientCredentials): Promise<Tokens> {
    const tokens = await sessions.refresh(required(refreshToken, 'refresh_token'), id)
    if (typeof tokens === 'string') throw refusedLogin(tokens === 'disabled' ? 901 : 100412)
    return tokens
  }

  /** Refuse a grant that the client cannot use: the console's public client has no rights of its own, an API user has no password. */
  function demandGrant(grant: 'password' | 'client_credentials', { id }: ClientCredentials): void {
    const allowed = id === PUBLIC_CLIENT ? 'password' : 'client_credentials'
    if (grant !== allowed)
      throw new InvalidRequest([{ path: 'grant_type', rule: 'oneOf', params: { values: `${allowed}, refresh_token` } }])
  }

  /** Return the owner of the profile: a user, or an API user with the fields that it has. A data screen has no owner. */
  async function personOf(session: Session, language: Language) {
    const { tokenId, userId, account: username, operator, kind, onScreen } = session
    // A data screen does not show who made its link.
    if (kind === 'client' || onScreen === true)
      return {
        id: onScreen === true ? tokenId : userId,
        username: onScreen === true ? '' : username,
        realName: onScreen === true ? '' : operator,
        email: '',
        idCard: '',
        telephone: '',
        roles: [],
        passwordExpiresAt: null,
        accountExpiresAt: null,
      }
    const [account, roles] = await Promise.all([own.read(session), login.rolesOf(userId)])
    const { realName, email, idCard, telephone, passwordExpiresAt, expiresAt } = account
    return {
      id: userId,
      username,
      realName,
      email,
      idCard,
      telephone,
      roles: roles.map((role) => ({ id: role.id, name: roleName(language, role), roleSign: role.roleSign })),
      passwordExpiresAt,
      accountExpiresAt: expiresAt,
    }
  }

  return [
    handler(identityCalls.token, async ({ body, client, ip, agent, statedLanguage: language }) => {
      const { grant_type: grant, areaCode, captcha } = body
      if (grant === 'refresh_token') return refresh(body.refresh_token, client)
      demandGrant(grant, client)
      if (grant === 'client_credentials') return clientLogin(client, areaCode, { ip, agent })
      return login.login({
        account: required(body.username, 'username'),
        cipherText: required(body.password, 'password'),
        areaCode,
        captcha,
        knownDevice: body.known_device,
        otp: body.otp,
        ip,
        agent,
        language,
      })
    }),
    handler(identityCalls.tokenByGet, async ({ query, client, ip, agent }) => {
      if (query.grant_type === 'refresh_token') return refresh(query.refresh_token, client)
      demandGrant(query.grant_type, client)
      return clientLogin(client, query.areaCode, { ip, agent })
    }),
    handler(identityCalls.loginConfig, async () => ({
      publicKey: (await loginKeys.current()).publicKey,
      nonce: nonces.make(),
      captcha: platform.config.captcha,
      mailDelivers: platform.messages.delivers,
    })),
    handler(identityCalls.keep, async ({ session }) => ({ expiresIn: await sessions.keep(session) })),
    handler(identityCalls.expire, async ({ session }) => ({ seconds: await sessions.keep(session) })),
    handler(identityCalls.revoke, async ({ session }) => sessions.revoke(session)),
    handler(identityCalls.profile, async ({ session, language }) => {
      const person = await personOf(session, language)
      const { deviceUpgradeType, ...capabilities } = capabilitiesOf(session)
      return {
        ...person,
        secondFactorMissing: session.secondFactorMissing === true,
        roleName: person.roles[0]?.name ?? '',
        roleSign: session.roleSign,
        parkAreaName: session.park.name,
        areaCode: session.park.areaCode,
        enablePageDataMasking: session.masking,
        deviceUpgradeType,
        capabilities: { ...capabilities, modules: organisation.modulesOn(session.park.id) },
      }
    }),
  ]
}
