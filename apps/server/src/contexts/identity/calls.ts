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
import { refusedLogin } from './login-proof.ts'
import type { OwnAccount } from './own.ts'
import { roleName } from './ready-roles.ts'
import { PUBLIC_CLIENT, type Sessions } from './sessions.ts'

/** A grant's parameter that the schema leaves optional because another grant lacks it. */
function required(value: string | undefined, path: string): string {
  if (value === undefined || value === '') throw new InvalidRequest([{ path, rule: 'required' }])
  return value
}

/** Tokens of an API user whose credentials came along and hold. */
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

  /** The console's public client has no rights of its own, and an API user no password. */
  function demandGrant(grant: 'password' | 'client_credentials', { id }: ClientCredentials): void {
    const allowed = id === PUBLIC_CLIENT ? 'password' : 'client_credentials'
    if (grant !== allowed)
      throw new InvalidRequest([{ path: 'grant_type', rule: 'oneOf', params: { values: `${allowed}, refresh_token` } }])
  }

  /** Whom the profile is about: a user; an API user with what there is of it; nobody, on a data screen. */
  async function personOf(session: Session, language: Language) {
    const { tokenId, userId, account: username, operator, kind, onScreen } = session
    // Whoever passes a wall does not learn who made its link.
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
      const { lite, privatised, atRoot, customerManager, deviceUpgradeType } = session.circumstances
      return {
        ...person,
        secondFactorMissing: session.secondFactorMissing === true,
        roleName: person.roles[0]?.name ?? '',
        roleSign: session.roleSign,
        parkAreaName: session.park.name,
        areaCode: session.park.areaCode,
        enablePageDataMasking: session.masking,
        deviceUpgradeType,
        capabilities: {
          permissions: [...session.permissions],
          lite,
          privatised,
          atRoot,
          customerManager,
          modules: organisation.modulesOn(session.park.id),
        },
      }
    }),
  ]
}
