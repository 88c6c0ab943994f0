/** Sessions: the tokens that stand for a user or API user, and what they may do. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { CONFIRMED_FOR } from '@gatehouse/contract'
import { holds, type Circumstances } from '@gatehouse/contract/conditions'
import { deviceUpgradeType } from '@gatehouse/contract/enums/identity'
import { SCREEN_LINK_PERMISSIONS, isScreenLinkToken } from '@gatehouse/contract/identity/screen-links'
import type { Tokens } from '@gatehouse/contract/identity/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { NO_LIMITS, type DeviceLimits } from '../../platform/session/device-limits.ts'
import { newId } from '../../platform/database/ids.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { seeingNoWatchList, type NoSession, type Scope, type Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { findClientUnscoped } from './client-data.ts'
import { findAccountUnscoped, rolesOfUnscoped, updateLastParkUnscoped } from './data.ts'
import { ownersChanged, sessionChanged } from './events.ts'
import { powerOf, type Power } from './privilege.ts'
import type { IdentityTables } from './schema.ts'
import { isEnrolledUnscoped } from './second-factor-data.ts'
import type { SecondFactorDemand } from './second-factor-demand.ts'
import { findLinkUnscoped, noteLinkUsedUnscoped, type ScreenLinkRow } from './screen-links-data.ts'
import * as data from './token-data.ts'

export const ACCESS_SECONDS = 2 * 3600
/** A replaced refresh token that comes again within this time ends nothing, though its successor was used: two tabs refreshed at once. */
const REUSE_GRACE_MS = 10_000
/** The browser's own client: public, without a secret. */
export const PUBLIC_CLIENT = 'console'
/** A node trusts what it remembers of a session so long; changes on this node are seen at once. */
const REMEMBER_MS = 5_000
/** Beyond so many, those nobody came back with are dropped. */
const REMEMBERED_MAX = 1_000

export const digest = (token: string): Buffer => createHash('sha256').update(token).digest()
const secretText = (): string => randomBytes(32).toString('base64url')

/** Who the tokens are for and where they begin. */
export interface Grant {
  owner: { userId: string } | { clientId: string }
  parkId: string
  ip?: string
  agent?: string
  /** Seconds; the console's own unless told: a user's session ends so many hours after the login, however often it is refreshed. */
  accessSeconds?: number
  refreshSeconds?: number
  /** For how long it counts as one whose user has just typed the password; not at all unless told. */
  confirmedSeconds?: number
}

export interface Sessions {
  issue(tx: OpenTransaction, grant: Grant): Promise<Tokens>
  /**
   * Replaces both tokens. A refresh token that was replaced before is answered the same tokens again while nobody has used them: the
   * answer was lost. Once they were used it ends its session: one of two holders is not who logged in.
   *
   * @param clientId whose credentials came along: an API user's token is refreshed by that API user, a user's by the console
   * @returns new tokens, or why there are none
   */
  refresh(refreshToken: string, clientId: string): Promise<Tokens | 'unknown' | 'disabled'>
  session(token: string): Promise<Session | NoSession>
  /** What has become of a session, whatever its tokens are by now; read anew. */
  again(tokenId: string): Promise<Session | NoSession>
  /** Seconds it holds from now on. */
  keep(session: Session): Promise<number>
  /** Its user has typed the password once more. @returns until when that counts, in epoch milliseconds */
  confirm(session: Pick<Session, 'tokenId'>): Promise<number>
  /** Whether that counts now; read anew, since another node may have taken the password. */
  isConfirmed(session: Pick<Session, 'tokenId'>): Promise<boolean>
  revoke(session: Pick<Session, 'tokenId' | 'park'>): Promise<void>
  /** Ends all sessions of an owner but one. @returns how many */
  revokeAll(owner: { userId: string } | { clientId: string }, except: string | null): Promise<number>
  /** The same within a change; call `forgetOwners` once it is committed. */
  revokeAllIn(tx: OpenTransaction, owner: { userId: string } | { clientId: string }, except: string | null): Promise<number>
  /** Sessions of a user that are open. */
  openOf(userId: string): Promise<data.OpenToken[]>
  move(session: Session, parkId: string): Promise<void>
  /** Reads anew at the next call what these owners may do; absent: everybody. Announces it to other nodes. */
  refreshOwners(tx: OpenTransaction, ownerIds?: readonly string[]): Promise<void>
  /** Makes a change of these owners that their sessions feel at once, on every node. */
  changing(ownerIds: readonly string[], work: (tx: Tx<IdentityTables>) => Promise<void>): Promise<void>
  forgetToken(tokenId: string): void
  forgetOwners(ownerIds?: readonly string[]): void
  /** Called with the id of each token that ended or changed, so that live connections can be looked at again. */
  onChange(listener: (tokenId: string | null) => void): void
  dropExpired(): Promise<number>
}

/** Of the profile, where nothing answers behind the link. */
const NO_UPGRADE_LINK = 0

/** In a privatised deployment admin and operator get the upgrade permission besides. */
const upgradeOf = ({ privatised, roleSign }: Circumstances): string[] =>
  privatised && (roleSign === 'admin' || roleSign === 'operator') ? ['device.upgrade'] : []

/** What an account may do that lacks the second factor that is demanded of it, whatever its roles say. */
const POWERLESS: Power = { roleSign: 'other', permissions: [], limits: NO_LIMITS }

/** What of its park a session's scope tells; nothing where everybody exists and is shown in full. */
const sightOf = (watchList: boolean, masked: boolean): Pick<Scope, 'sees'> =>
  watchList && !masked ? {} : { sees: { watchList, ...(masked && { masked }) } }

export function createSessions(platform: Platform, organisation: OrganisationService, secondFactor: SecondFactorDemand): Sessions {
  const db = platform.db as unknown as Database<IdentityTables>
  const remembered = new Map<string, { session: Session; until: number; expiresAt: number }>()
  const listeners: ((tokenId: string | null) => void)[] = []
  /** Grows with each thing that is forgotten. */
  let forgotten = 0

  interface Pair {
    access: string
    refresh: string
  }

  /** What takes the place of a refresh token: the same for the same one, so that it can be answered again, and known to nobody else. */
  async function pairAfter(refreshToken: string): Promise<Pair> {
    const key = await platform.crypto.derivedKey(INSTALLATION_ID, 'tokens after a refresh')
    const made = (purpose: string): string => createHmac('sha256', key).update(`${purpose} ${refreshToken}`).digest('base64url')
    return { access: made('access'), refresh: made('refresh') }
  }

  /** @param refreshExpiresAt also where the access token ends at the latest */
  function secretsOf({ access, refresh }: Pair, accessSeconds: number, refreshExpiresAt: number, now: number) {
    const accessExpiresAt = Math.min(now + accessSeconds * 1000, refreshExpiresAt)
    const secondsUntil = (end: number): number => Math.floor((end - now) / 1000)
    const tokens: Tokens = {
      access_token: access,
      token_type: 'Bearer',
      expires_in: secondsUntil(accessExpiresAt),
      refresh_token: refresh,
      refresh_expires_in: secondsUntil(refreshExpiresAt),
    }
    return { tokens, row: { accessHash: digest(access), refreshHash: digest(refresh), accessExpiresAt, refreshExpiresAt } }
  }

  /** Ends the session of a refresh token that was replaced before, and writes down that it was presented again. */
  async function noteReuse(used: Buffer, clientId: string, now: number): Promise<void> {
    const former = await data.findFormerUnscoped(db, used)
    if (former === undefined || now < former.replacedAt + REUSE_GRACE_MS) return
    const token = await data.findTokenUnscoped(db, { id: former.tokenId })
    if (token === undefined || token.revoked || token.refreshExpiresAt <= now) return
    const owner = await ownerOf(token)
    if (typeof owner === 'string' || clientId !== (owner.kind === 'client' ? owner.account : PUBLIC_CLIENT)) return
    const { id, account, operator, kind } = owner
    platform.audit.actAs({ parkId: token.parkId, userId: id, account, operator, source: kind === 'client' ? 'thirdParty' : 'local' })
    await platform.transaction(async (tx: Tx<IdentityTables>) => {
      await data.updateTokenUnscoped(tx, token.id, { revoked: true })
      await platform.events.announce(tx, sessionChanged, token.parkId, { tokenId: token.id })
      platform.audit.note({ entity: 'refusedLogin', id, label: account, after: { refusedWith: 100412, usedAgain: true } })
    })
    forgetToken(token.id)
  }

  function forgetToken(tokenId: string): void {
    forgotten++
    for (const [token, { session }] of remembered) if (session.tokenId === tokenId) remembered.delete(token)
    for (const listener of listeners) listener(tokenId)
  }

  function forgetOwners(ownerIds?: readonly string[]): void {
    forgotten++
    for (const [token, { session }] of remembered) if (ownerIds === undefined || ownerIds.includes(session.userId)) remembered.delete(token)
    for (const listener of listeners) listener(null)
  }

  async function refreshOwners(tx: OpenTransaction, ownerIds?: readonly string[]): Promise<void> {
    // More than an event may hold are as good as all.
    const named = ownerIds !== undefined && ownerIds.length <= 50 ? [...ownerIds] : undefined
    await platform.events.announce(tx, ownersChanged, organisation.root().id, { ownerIds: named })
  }

  /** Changes a session everywhere: at once here, by event on other nodes. */
  async function change(tokenId: string, parkId: string, to: Parameters<typeof data.updateTokenUnscoped>[2]): Promise<void> {
    await platform.transaction(async (tx: Tx<IdentityTables>) => {
      await data.updateTokenUnscoped(tx, tokenId, to)
      await platform.events.announce(tx, sessionChanged, parkId, { tokenId })
    })
    forgetToken(tokenId)
  }

  async function revokeAllIn(
    tx: Tx<IdentityTables>,
    owner: { userId: string } | { clientId: string },
    except: string | null,
  ): Promise<string[]> {
    const ids = await data.revokeTokensUnscoped(tx, owner, except)
    for (const tokenId of ids) await platform.events.announce(tx, sessionChanged, organisation.root().id, { tokenId })
    return ids
  }

  /** The token row whose refresh token this is, or whose tokens replaced it and were not used yet. */
  async function refreshedBy(used: Buffer, replacement: Buffer): Promise<data.TokenRow | undefined> {
    const current = await data.findTokenUnscoped(db, { refresh: used })
    if (current !== undefined) return current
    const replaced = await data.findTokenUnscoped(db, { refresh: replacement })
    return replaced?.pairUsed === false ? replaced : undefined
  }

  interface Owner {
    id: string
    kind: 'user' | 'client'
    account: string
    operator: string
    organisationId: string
    roleSign: string
    permissions: readonly string[]
    limits: DeviceLimits
    masking: boolean
    /** When the account expires; null: never. */
    endsAt: number | null
    secondFactorMissing: boolean
  }

  async function ownerOf({ userId, clientId }: Pick<data.TokenRow, 'userId' | 'clientId'>): Promise<Owner | NoSession> {
    if (clientId !== null) {
      const client = await findClientUnscoped(db, { id: clientId })
      if (client === undefined) return 'unknown'
      if (!client.enabled) return 'disabled'
      const { id, name, apiKey, organisationId, permissions, masking } = client
      const names = { account: apiKey, operator: name, organisationId, masking }
      return { id, kind: 'client', ...names, roleSign: 'other', permissions, limits: NO_LIMITS, endsAt: null, secondFactorMissing: false }
    }
    const [account, roles] = await Promise.all([findAccountUnscoped(db, { id: userId! }), rolesOfUnscoped(db, userId!)])
    if (account === undefined) return 'unknown'
    if (!account.enabled) return 'disabled'
    const { id, realName, organisationId, masking, expiresAt } = account
    const power = powerOf(roles)
    const secondFactorMissing = secondFactor.isDemandedOf(power.roleSign) && !(await isEnrolledUnscoped(db, id))
    return {
      id,
      kind: 'user',
      account: account.account,
      operator: realName,
      organisationId,
      ...(secondFactorMissing ? POWERLESS : power),
      masking,
      endsAt: expiresAt,
      secondFactorMissing,
    }
  }

  function sessionOf(row: Pick<data.TokenRow, 'id' | 'parkId'>, owner: Owner): Session | 'unknown' {
    // A user who was moved elsewhere in the tree, or whose park is gone, logs in again.
    if (organisation.get(row.parkId) === undefined || !organisation.isBelow(row.parkId, owner.organisationId)) return 'unknown'
    const park = organisation.park({ parkId: row.parkId })
    const circumstances: Circumstances = {
      roleSign: owner.roleSign,
      atRoot: owner.organisationId === organisation.root().id && !owner.secondFactorMissing,
      lite: platform.config.lite,
      privatised: platform.config.privatised,
      customerManager: organisation.get(park.id)!.showCustomerManager,
      deviceUpgradeType: platform.config.upgradeService ? deviceUpgradeType.linkShown : NO_UPGRADE_LINK,
      masking: owner.masking,
    }
    return {
      tokenId: row.id,
      userId: owner.id,
      kind: owner.kind,
      account: owner.account,
      operator: owner.operator,
      organisationId: owner.organisationId,
      roleSign: owner.roleSign,
      permissions: new Set([...owner.permissions, ...upgradeOf(circumstances)].filter((code) => organisation.isOn(park.id, code))),
      circumstances,
      deviceLimits: owner.limits,
      masking: owner.masking,
      ...(owner.secondFactorMissing && { secondFactorMissing: true as const }),
      park,
      scope: { parkId: row.parkId, ...sightOf(holds('notOther', circumstances), owner.masking) },
    }
  }

  async function sessionNow(row: data.TokenRow | undefined, now: number): Promise<Session | NoSession> {
    if (row === undefined || row.revoked) return 'unknown'
    if (row.accessExpiresAt <= now) return 'expired'
    const owner = await ownerOf(row)
    return typeof owner === 'string' ? owner : sessionOf(row, owner)
  }

  /** What a link opens: the data screen of its park, by what its maker may see, for as long as they may make one. */
  async function screenSessionNow(link: ScreenLinkRow | undefined, now: number): Promise<Session | NoSession> {
    if (link === undefined) return 'unknown'
    if (link.endsAt !== null && link.endsAt <= now) return 'expired'
    const owner = await ownerOf({ userId: link.userId, clientId: null })
    if (typeof owner === 'string') return owner
    const session = owner.endsAt !== null && owner.endsAt <= now ? 'unknown' : sessionOf(link, owner)
    if (typeof session === 'string' || !SCREEN_LINK_PERMISSIONS.toMake.every((code) => session.permissions.has(code))) return 'unknown'
    return {
      ...session,
      onScreen: true,
      // Nobody at a wall learns who made its link.
      roleSign: 'other',
      circumstances: { ...session.circumstances, roleSign: 'other', atRoot: false },
      permissions: new Set(SCREEN_LINK_PERMISSIONS.shown.filter((code) => session.permissions.has(code))),
      scope: seeingNoWatchList(session.scope),
    }
  }

  /** The session of a token, and when it ends by itself; null: never. */
  async function openedBy(token: string, now: number): Promise<{ session: Session | NoSession; expiresAt: number | null }> {
    const hash = digest(token)
    if (!isScreenLinkToken(token)) {
      const row = await data.findTokenUnscoped(db, { access: hash })
      if (row?.pairUsed === false) await data.notePairUsedUnscoped(db, row.id, hash)
      return { session: await sessionNow(row, now), expiresAt: row?.accessExpiresAt ?? null }
    }
    const link = await findLinkUnscoped(db, { tokenHash: hash })
    const session = await screenSessionNow(link, now)
    if (link !== undefined && typeof session !== 'string') await noteLinkUsedUnscoped(db, link.id, now)
    return { session, expiresAt: link?.endsAt ?? null }
  }

  return {
    forgetToken,
    forgetOwners,
    onChange: (listener) => void listeners.push(listener),
    async issue(tx, { owner, parkId, ip, agent, accessSeconds = ACCESS_SECONDS, refreshSeconds, confirmedSeconds }) {
      const now = platform.clock.now()
      const pair = { access: secretText(), refresh: secretText() }
      const { tokens, row } = secretsOf(pair, accessSeconds, now + (refreshSeconds ?? platform.config.sessionHours * 3600) * 1000, now)
      await data.insertTokenUnscoped(
        tx as unknown as Tx<IdentityTables>,
        {
          ...row,
          ...owner,
          id: newId(),
          parkId,
          ip,
          agent,
          accessSeconds,
          ...(confirmedSeconds !== undefined && { confirmedUntil: now + confirmedSeconds * 1000 }),
        },
        now,
      )
      return tokens
    },
    async refresh(refreshToken, clientId) {
      const [used, pair] = [digest(refreshToken), await pairAfter(refreshToken)]
      const token = await refreshedBy(used, digest(pair.refresh))
      const now = platform.clock.now()
      if (token === undefined) await noteReuse(used, clientId, now)
      if (token === undefined || token.revoked || token.refreshExpiresAt <= now) return 'unknown'
      const client = token.clientId === null ? undefined : await findClientUnscoped(db, { id: token.clientId })
      if (clientId !== (client?.apiKey ?? PUBLIC_CLIENT)) return 'unknown'
      const owner = await ownerOf(token)
      if (typeof owner === 'string') return owner === 'disabled' ? 'disabled' : 'unknown'
      // A user's session ends when it was to end at the login.
      const refreshExpiresAt = client === undefined ? token.refreshExpiresAt : now + client.refreshSeconds * 1000
      const { tokens, row } = secretsOf(pair, token.accessSeconds, refreshExpiresAt, now)
      const isRotated = await platform.db
        .transaction()
        .execute((tx) => data.rotateTokenUnscoped(tx as unknown as Tx<IdentityTables>, used, { ...row, id: token.id }, now))
      if (!isRotated) return 'unknown'
      forgetToken(token.id)
      return tokens
    },
    async session(token) {
      const now = platform.clock.now()
      const known = remembered.get(token)
      if (known !== undefined && known.until > now && known.expiresAt > now) return known.session
      remembered.delete(token)
      const before = forgotten
      const { session, expiresAt } = await openedBy(token, now)
      if (typeof session === 'string') return session
      if (remembered.size > REMEMBERED_MAX) for (const [old, { until }] of remembered) if (until <= now) remembered.delete(old)
      // What changed while it was read may not be in it.
      if (before === forgotten) remembered.set(token, { session, until: now + REMEMBER_MS, expiresAt: expiresAt ?? Infinity })
      return session
    },
    async again(tokenId) {
      const now = platform.clock.now()
      const row = await data.findTokenUnscoped(db, { id: tokenId })
      return row === undefined ? screenSessionNow(await findLinkUnscoped(db, { id: tokenId }), now) : sessionNow(row, now)
    },
    async keep(session) {
      const now = platform.clock.now()
      const end = await data.prolongTokenUnscoped(db, session.tokenId, now)
      forgetToken(session.tokenId)
      return Math.floor((end - now) / 1000)
    },
    async confirm({ tokenId }) {
      const until = platform.clock.now() + CONFIRMED_FOR * 60_000
      await data.confirmTokenUnscoped(db, tokenId, until)
      return until
    },
    isConfirmed: ({ tokenId }) => data.isTokenConfirmedUnscoped(db, tokenId, platform.clock.now()),
    revoke: (session) => change(session.tokenId, session.park.id, { revoked: true }),
    async revokeAll(owner, except) {
      const ended = await platform.transaction((tx: Tx<IdentityTables>) => revokeAllIn(tx, owner, except))
      ended.forEach(forgetToken)
      return ended.length
    },
    revokeAllIn: async (tx, owner, except) => (await revokeAllIn(tx as unknown as Tx<IdentityTables>, owner, except)).length,
    openOf: (userId) => data.listTokensUnscoped(db, userId, platform.clock.now()),
    async move(session, parkId) {
      await change(session.tokenId, parkId, { parkId })
      if (session.kind === 'user') await updateLastParkUnscoped(db, session.userId, parkId)
    },
    refreshOwners,
    async changing(ownerIds, work) {
      await platform.transaction(async (tx: Tx<IdentityTables>) => {
        await work(tx)
        await refreshOwners(tx as never, ownerIds)
      })
      forgetOwners(ownerIds)
    },
    dropExpired: () => data.deleteExpiredTokensUnscoped(db, platform.clock.now()),
  }
}
