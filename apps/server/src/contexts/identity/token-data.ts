/** Rows of tokens. Unscoped throughout: a token is what a scope is made from. */
import { columnList } from '../../platform/database/column-list.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'

export interface TokenRow {
  id: string
  /** Exactly one of `userId` and `clientId` is set. */
  userId: string | null
  clientId: string | null
  parkId: string
  accessSeconds: number
  accessExpiresAt: number
  refreshExpiresAt: number
  revoked: boolean
  /** Whether the tokens of the last refresh have been used. */
  pairUsed: boolean
}
const tokenColumns = columnList([
  'id',
  'userId',
  'clientId',
  'accessSeconds',
  'parkId',
  'accessExpiresAt',
  'refreshExpiresAt',
  'revoked',
  'pairUsed',
])

export async function findTokenUnscoped(
  db: Database,
  by: { access: Buffer } | { refresh: Buffer } | { id: string },
): Promise<TokenRow | undefined> {
  const query = db.selectFrom('token').select(tokenColumns)
  const [column, value] =
    'access' in by
      ? (['accessHash', by.access] as const)
      : 'refresh' in by
        ? (['refreshHash', by.refresh] as const)
        : (['id', by.id] as const)
  const row = await query.where(column, '=', value).executeTakeFirst()
  return row as TokenRow | undefined
}

export interface NewToken {
  id: string
  userId?: string
  clientId?: string
  /** Address of the request; empty where it is unknown. */
  ip?: string
  agent?: string
  accessSeconds: number
  accessHash: Buffer
  refreshHash: Buffer
  parkId: string
  accessExpiresAt: number
  refreshExpiresAt: number
  /** Time until which the session counts as confirmed by a password; by default it does not. */
  confirmedUntil?: number
}

export async function insertTokenUnscoped(db: Database, token: NewToken, now: number): Promise<void> {
  await db
    .insertInto('token')
    .values({
      id: token.id,
      userId: token.userId ?? null,
      clientId: token.clientId ?? null,
      ip: token.ip ?? '',
      agent: token.agent ?? '',
      seenAt: timestamp(now),
      accessSeconds: token.accessSeconds,
      accessHash: token.accessHash,
      refreshHash: token.refreshHash,
      parkId: token.parkId,
      accessExpiresAt: timestamp(token.accessExpiresAt),
      refreshExpiresAt: timestamp(token.refreshExpiresAt),
      revoked: false,
      confirmedUntil: token.confirmedUntil === undefined ? null : timestamp(token.confirmedUntil),
      createdAt: timestamp(now),
    })
    .execute()
}

/**
 * Most replaced refresh tokens stored per session: enough for weeks of a browser, and a limit for a client that does nothing but refresh.
 */
const FORMER_MAX = 100

/**
 * Replace both secrets of a session and store the hash of the used refresh token. Where the same secrets replaced them before and are still
 * unused, they become valid again.
 * @returns false where the refresh token is no longer valid
 */
export async function rotateTokenUnscoped(
  tx: Database,
  used: Buffer,
  token: Pick<NewToken, 'id' | 'accessHash' | 'refreshHash' | 'accessExpiresAt' | 'refreshExpiresAt'>,
  now: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('token')
    .set({
      accessHash: token.accessHash,
      refreshHash: token.refreshHash,
      accessExpiresAt: timestamp(token.accessExpiresAt),
      refreshExpiresAt: timestamp(token.refreshExpiresAt),
      pairUsed: false,
      seenAt: timestamp(now),
    })
    .where('id', '=', token.id)
    .where((eb) => eb.or([eb('refreshHash', '=', used), eb('refreshHash', '=', token.refreshHash).and('pairUsed', '=', false)]))
    .where('revoked', '=', false)
    .executeTakeFirst()
  if (Number(result.numUpdatedRows) !== 1) return false
  await tx
    .insertInto('formerRefreshToken')
    .values({ hash: used, tokenId: token.id, replacedAt: timestamp(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .deleteFrom('formerRefreshToken')
    .where('tokenId', '=', token.id)
    .where('hash', 'not in', (query) =>
      query.selectFrom('formerRefreshToken').select('hash').where('tokenId', '=', token.id).orderBy('replacedAt', 'desc').limit(FORMER_MAX),
    )
    .execute()
  return true
}

/** Note that the tokens of a session's last refresh have reached their client. */
export async function notePairUsedUnscoped(db: Database, tokenId: string, accessHash: Buffer): Promise<void> {
  await db.updateTable('token').set({ pairUsed: true }).where('id', '=', tokenId).where('accessHash', '=', accessHash).execute()
}

/** Return the session that a refresh token belonged to until it was replaced, and when that was. */
export async function findFormerUnscoped(db: Database, hash: Buffer): Promise<{ tokenId: string; replacedAt: number } | undefined> {
  const row = await db.selectFrom('formerRefreshToken').select(['tokenId', 'replacedAt']).where('hash', '=', hash).executeTakeFirst()
  return row as { tokenId: string; replacedAt: number } | undefined
}

/** Prolong a session by its own length, but not beyond the time until which it can be refreshed. @returns its new end */
export async function prolongTokenUnscoped(db: Database, tokenId: string, now: number): Promise<number> {
  const { accessExpiresAt: end } = await db
    .updateTable('token')
    .set({
      accessExpiresAt: sql<number>`LEAST(refresh_expires_at, ${timestamp(now)}::timestamptz + access_seconds * interval '1 second')`,
      seenAt: timestamp(now),
    })
    .where('id', '=', tokenId)
    .returning('accessExpiresAt')
    .executeTakeFirstOrThrow()
  return Number(end)
}

/** Note until when a session counts as confirmed by its user's password. */
export async function confirmTokenUnscoped(db: Database, tokenId: string, until: number): Promise<void> {
  await db
    .updateTable('token')
    .set({ confirmedUntil: timestamp(until) })
    .where('id', '=', tokenId)
    .execute()
}

/** Return whether a session counts as confirmed now. */
export async function isTokenConfirmedUnscoped(db: Database, tokenId: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('token')
    .select('id')
    .where('id', '=', tokenId)
    .where('revoked', '=', false)
    .where('confirmedUntil', '>', timestamp(now))
    .executeTakeFirst()
  return row !== undefined
}

export interface OpenToken {
  id: string
  parkId: string
  ip: string
  agent: string
  createdAt: number
  seenAt: number
}

/** Return the sessions of a user that are still open, the newest first. */
export async function listTokensUnscoped(db: Database, userId: string, now: number): Promise<OpenToken[]> {
  const rows = await db
    .selectFrom('token')
    .select(['id', 'parkId', 'ip', 'agent', 'createdAt', 'seenAt'])
    .where('userId', '=', userId)
    .where('revoked', '=', false)
    .where('refreshExpiresAt', '>', timestamp(now))
    .orderBy('createdAt', 'desc')
    .limit(100)
    .execute()
  return rows as OpenToken[]
}

export async function updateTokenUnscoped(db: Database, tokenId: string, change: { revoked?: boolean; parkId?: string }): Promise<void> {
  await db
    .updateTable('token')
    .set({
      ...(change.revoked !== undefined && { revoked: change.revoked }),
      ...(change.parkId !== undefined && { parkId: change.parkId }),
    })
    .where('id', '=', tokenId)
    .execute()
}

/** Drop sessions that can no longer be refreshed. */
export async function deleteExpiredTokensUnscoped(db: Database, now: number): Promise<number> {
  const result = await db.deleteFrom('token').where('refreshExpiresAt', '<', timestamp(now)).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Revoke all open tokens of an owner but one; return their ids. */
export async function revokeTokensUnscoped(
  db: Database,
  owner: { userId: string } | { clientId: string },
  except: string | null,
): Promise<string[]> {
  const rows = await db
    .updateTable('token')
    .set({ revoked: true })
    .where('userId' in owner ? 'userId' : 'clientId', '=', 'userId' in owner ? owner.userId : owner.clientId)
    .where('revoked', '=', false)
    .$if(except !== null, (query) => query.where('id', '<>', except!))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
