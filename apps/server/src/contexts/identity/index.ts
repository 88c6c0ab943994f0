/** Accounts, roles, API users, sessions. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { organisationContext, sessionKeeper, settingChanged } from '../organisation/index.ts'
import { extend } from '../../platform/extension-points.ts'
import { deviceGroupTree } from './extension-points.ts'
import { countBelongingUnscoped } from './belonging.ts'
import { identityHandlers } from './calls.ts'
import { createCaptchas } from './captcha.ts'
import { createCipherTexts } from './cipher-texts.ts'
import { clientHandlers } from './clients-calls.ts'
import { createClients } from './clients.ts'
import type { ClientService } from './clients-types.ts'
import { createCodes } from './codes.ts'
import { ownersChanged, sessionChanged } from './events.ts'
import { createKnownDevices } from './known-devices.ts'
import { createLogin, type Login } from './login.ts'
import { createAttempts, type Attempts } from './login-attempts.ts'
import { createLoginFailures } from './login-failures.ts'
import { createLoginKeys } from './login-key.ts'
import { createNonces } from './login-nonce.ts'
import { createProofs } from './login-proof.ts'
import { createOwnAccount } from './own.ts'
import { ownHandlers } from './own-calls.ts'
import { renewFirstPassword } from './first-administrator.ts'
import { createForgottenPassword } from './password-forgotten.ts'
import { createPrivilege, type DeviceGroupTree, type Privilege } from './privilege.ts'
import { roleHandlers } from './roles-calls.ts'
import { keepReadyRolesUnscoped } from './ready-roles.ts'
import { createRoles } from './roles.ts'
import { identityMigrations } from './schema.ts'
import { screenLinkHandlers } from './screen-links.ts'
import { secondFactorHandlers } from './second-factor-calls.ts'
import { createSecondFactorCheck } from './second-factor-check.ts'
import { createSecondFactorDemand } from './second-factor-demand.ts'
import { createSecondFactors } from './second-factor.ts'
import { PUBLIC_CLIENT } from './session-refresh.ts'
import { createSessions } from './sessions.ts'
import type { Sessions } from './sessions-types.ts'
import { createSleeping, type Sleeping } from './sleeping.ts'
import { userHandlers } from './users-calls.ts'
import { createUsers } from './users.ts'
import { createWhoMay, type WhoMay } from './who-may.ts'

export { deviceGroupTree } from './extension-points.ts'

export type { Attempts } from './login-attempts.ts'

export type { Login } from './login.ts'
export type { Sessions } from './sessions-types.ts'
export type { WhoMay } from './who-may.ts'

export interface IdentityContext extends Context {
  login: Login
  sessions: Sessions
  clients: ClientService
  sleeping: Sleeping
  attempts: Attempts
  whoMay: WhoMay
  /** The accounts that a caller may act on, and the names of those they may know of. */
  accounts: Pick<Privilege, 'covered' | 'names'>
}

export const isPublicClient = (id: string, secret: string): boolean => id === PUBLIC_CLIENT && secret === ''

export const identityContext = defineContext({
  name: 'identity',
  uses: { organisation: organisationContext },
  create(platform, { organisation: { service: organisation, settings } }): IdentityContext {
    const deviceGroups: DeviceGroupTree = {
      parks: (groupIds) => platform.extensions.one(deviceGroupTree).parks(groupIds),
      below: (groupIds) => platform.extensions.one(deviceGroupTree).below(groupIds),
    }
    const [loginKeys, nonces] = [createLoginKeys(platform), createNonces(platform)]
    const cipherTexts = createCipherTexts(platform, loginKeys, nonces)
    const demand = createSecondFactorDemand(settings)
    const sessions = createSessions(platform, organisation, demand)
    const [attempts, captchas] = [createAttempts(platform), createCaptchas(platform)]
    const [failures, knownDevices] = [createLoginFailures(platform), createKnownDevices(platform)]
    const secondFactor = createSecondFactorCheck(platform, attempts)
    const proofs = createProofs(platform, { organisation, attempts, failures, knownDevices, captchas, secondFactor })
    const codes = createCodes(platform, attempts)
    const login = createLogin(platform, { organisation, sessions, proofs, knownDevices, cipherTexts })
    const privilege = createPrivilege(platform.db, organisation, deviceGroups)
    const clients = createClients(platform, { organisation, sessions, privilege })
    const roles = createRoles(platform, { organisation, sessions, privilege, deviceGroups })
    const users = createUsers(platform, { organisation, sessions, privilege, roles, cipherTexts })
    const factors = createSecondFactors(platform, { organisation, sessions, privilege, attempts, check: secondFactor, demand })
    const sleeping = createSleeping(platform, { organisation, settings, sessions })
    const own = createOwnAccount(platform, { organisation, sessions, proofs, codes })
    const forgotten = createForgottenPassword(platform, { organisation, codes, sessions })
    /** Store the ready roles of this version; a change applies at once to the users who hold one. */
    const keepReadyRoles = (): Promise<void> =>
      platform.transaction(async (tx) => {
        const holders = await keepReadyRolesUnscoped(tx, platform.clock.now())
        if (holders.length > 0) await sessions.refreshOwners(tx, holders)
      })
    /** Password made at this start in place of one that was printed and not used in time. */
    let renewed: string | null = null
    platform.events.consume({
      name: 'identity.sessions',
      mode: 'everyNode',
      handlers: [
        on(sessionChanged, ({ payload }) => sessions.forgetToken(payload.tokenId)),
        on(ownersChanged, ({ payload }) => sessions.forgetOwners(payload.ownerIds)),
        on(settingChanged, async ({ payload }) => {
          if (await demand.refresh(payload)) sessions.forgetOwners()
        }),
      ],
    })
    return {
      login: { ...login, initialPassword: () => renewed ?? login.initialPassword() },
      sessions,
      clients,
      sleeping,
      attempts,
      whoMay: createWhoMay(platform, { organisation, privilege }),
      accounts: privilege,
      calls: [
        ...identityHandlers(platform, { login, clientLogin: clients.logIn, sessions, own, loginKeys, nonces, organisation }),
        ...ownHandlers({ own, forgotten, captchas, cipherTexts }),
        ...userHandlers(users, sleeping),
        ...roleHandlers(roles),
        ...clientHandlers(clients),
        ...secondFactorHandlers(factors),
        ...screenLinkHandlers(platform, { sessions, privilege }),
      ],
      migrations: identityMigrations,
      jobs: [
        sleeping.job,
        {
          name: 'identity.rotateLoginKey',
          schedule: '37 * * * *',
          async run() {
            await loginKeys.rotate()
            return { outcome: 'success' }
          },
        },
        {
          name: 'identity.dropExpiredTokens',
          schedule: '17 * * * *',
          async run() {
            const [tokens] = await Promise.all([
              sessions.dropExpired(),
              attempts.dropEnded(),
              failures.dropEnded(),
              knownDevices.dropExpired(),
              captchas.dropExpired(),
              codes.dropExpired(),
            ])
            return { outcome: 'success', counts: { tokens } }
          },
        },
      ],
      async start() {
        await loginKeys.start()
        await login.start()
        await keepReadyRoles()
        renewed = await renewFirstPassword(platform)
      },
      stop: () => forgotten.stop(),
      extensions: [
        extend(sessionKeeper, {
          roleNameOf: (userId, language) => login.roleNameOf(userId, language),
          move: (session, parkId) => sessions.move(session, parkId),
          refreshOwners: (tx) => sessions.refreshOwners(tx),
          forgetOwners: () => sessions.forgetOwners(),
          belonging: (tx, organisationId) => countBelongingUnscoped((tx ?? platform.db) as never, organisationId),
        }),
      ],
    }
  },
})
