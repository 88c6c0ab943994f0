/** Rows of tokens. Unscoped throughout: a token is what a scope is made from. */
import { columnList } from '../../platform/database/column-list.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface TokenRow {
  id: string
  /** One of the two. */
  userId: string | null
  clientId: string | null
  parkId: string
  accessSeconds: number
  accessExpiresAt: number
  refreshExpiresAt: number
  revoked: boolean
  /** Whether the tokens that the last refresh made have been used. */
  pairUsed: boolean
}
const tokenColumns = columnList([
  'id',
  'user_id as userId',
  'client_id as clientId',
  'access_seconds as accessSeconds',
  'park_id as parkId',
  'access_expires_at as accessExpiresAt',
  'refresh_expires_at as refreshExpiresAt',
  'revoked',
  'pair_used as pairUsed',
])

export async function findTokenUnscoped(
  db: Db,
  by: { access: Buffer } | { refresh: Buffer } | { id: string },
): Promise<TokenRow | undefined> {
  const query = db.selectFrom('token').select(tokenColumns)
  const [column, value] =
    'access' in by
      ? (['access_hash', by.access] as const)
      : 'refresh' in by
        ? (['refresh_hash', by.refresh] as const)
        : (['id', by.id] as const)
  const row = await query.where(column, '=', value).executeTakeFirst()
  return row as TokenRow | undefined
}

export interface NewToken {
  id: string
  userId?: string
  clientId?: string
  /** Where it was asked for from; empty where nobody knows. */
  ip?: string
  agent?: string
  accessSeconds: number
  accessHash: Buffer
  refreshHash: Buffer
  parkId: string
  accessExpiresAt: number
  refreshExpiresAt: number
  /** Until when it counts as confirmed by a password; not at all unless told. */
  confirmedUntil?: number
}

export async function insertTokenUnscoped(db: Db, token: NewToken, now: number): Promise<void> {
  await db
    .insertInto('token')
    .values({
      id: token.id,
      user_id: token.userId ?? null,
      client_id: token.clientId ?? null,
      ip: token.ip ?? '',
      agent: token.agent ?? '',
      seen_at: timestamp(now),
      access_seconds: token.accessSeconds,
      access_hash: token.accessHash,
      refresh_hash: token.refreshHash,
      park_id: token.parkId,
      access_expires_at: timestamp(token.accessExpiresAt),
      refresh_expires_at: timestamp(token.refreshExpiresAt),
      revoked: false,
      confirmed_until: token.confirmedUntil === undefined ? null : timestamp(token.confirmedUntil),
      created_at: timestamp(now),
    })
    .execute()
}

/** Replaced refresh tokens a session remembers: enough for weeks of a browser, and a bound for a client that does nothing else. */
const FORMER_MAX = 100

/**
 * Replaces both secrets of a session and remembers the refresh token that was used. Where they were replaced by the same ones before,
 * and nobody has used those, they hold anew. False where the refresh token is good no longer.
 */
export async function rotateTokenUnscoped(
  tx: Db,
  used: Buffer,
  token: Pick<NewToken, 'id' | 'accessHash' | 'refreshHash' | 'accessExpiresAt' | 'refreshExpiresAt'>,
  now: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('token')
    .set({
      access_hash: token.accessHash,
      refresh_hash: token.refreshHash,
      access_expires_at: timestamp(token.accessExpiresAt),
      refresh_expires_at: timestamp(token.refreshExpiresAt),
      pair_used: false,
      seen_at: timestamp(now),
    })
    .where('id', '=', token.id)
    .where((eb) => eb.or([eb('refresh_hash', '=', used), eb('refresh_hash', '=', token.refreshHash).and('pair_used', '=', false)]))
    .where('revoked', '=', false)
    .executeTakeFirst()
  if (Number(result.numUpdatedRows) !== 1) return false
  await tx
    .insertInto('former_refresh_token')
    .values({ hash: used, token_id: token.id, replaced_at: timestamp(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .deleteFrom('former_refresh_token')
    .where('token_id', '=', token.id)
    .where('hash', 'not in', (query) =>
      query
        .selectFrom('former_refresh_token')
        .select('hash')
        .where('token_id', '=', token.id)
        .orderBy('replaced_at', 'desc')
        .limit(FORMER_MAX),
    )
    .execute()
  return true
}

/** Notes that the tokens of a session's last refresh have reached whoever asked for them. */
export async function notePairUsedUnscoped(db: Db, tokenId: string, accessHash: Buffer): Promise<void> {
  await db.updateTable('token').set({ pair_used: true }).where('id', '=', tokenId).where('access_hash', '=', accessHash).execute()
}

/** The session a refresh token belonged to until it was replaced, and when it was. */
export async function findFormerUnscoped(db: Db, hash: Buffer): Promise<{ tokenId: string; replacedAt: number } | undefined> {
  const row = await db
    .selectFrom('former_refresh_token')
    .select(['token_id as tokenId', 'replaced_at as replacedAt'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row as { tokenId: string; replacedAt: number } | undefined
}

/** Prolongs a session by its own length, never beyond the time it can be refreshed. @returns when it now ends */
export async function prolongTokenUnscoped(db: Db, tokenId: string, now: number): Promise<number> {
  const { access_expires_at: end } = await db
    .updateTable('token')
    .set({
      access_expires_at: sql<number>`LEAST(refresh_expires_at, ${timestamp(now)}::timestamptz + access_seconds * interval '1 second')`,
      seen_at: timestamp(now),
    })
    .where('id', '=', tokenId)
    .returning('access_expires_at')
    .executeTakeFirstOrThrow()
  return Number(end)
}

/** Note until when a session counts as confirmed by its user's password. */
export async function confirmTokenUnscoped(db: Db, tokenId: string, until: number): Promise<void> {
  await db
    .updateTable('token')
    .set({ confirmed_until: timestamp(until) })
    .where('id', '=', tokenId)
    .execute()
}

/** Whether a session counts as confirmed now. */
export async function isTokenConfirmedUnscoped(db: Db, tokenId: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('token')
    .select('id')
    .where('id', '=', tokenId)
    .where('revoked', '=', false)
    .where('confirmed_until', '>', timestamp(now))
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

/** Sessions of a user that are still open, the newest first. */
export async function listTokensUnscoped(db: Db, userId: string, now: number): Promise<OpenToken[]> {
  const rows = await db
    .selectFrom('token')
    .select(['id', 'park_id as parkId', 'ip', 'agent', 'created_at as createdAt', 'seen_at as seenAt'])
    .where('user_id', '=', userId)
    .where('revoked', '=', false)
    .where('refresh_expires_at', '>', timestamp(now))
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()
  return rows as OpenToken[]
}

export async function updateTokenUnscoped(db: Db, tokenId: string, change: { revoked?: boolean; parkId?: string }): Promise<void> {
  await db
    .updateTable('token')
    .set({
      ...(change.revoked !== undefined && { revoked: change.revoked }),
      ...(change.parkId !== undefined && { park_id: change.parkId }),
    })
    .where('id', '=', tokenId)
    .execute()
}

/** Drops sessions that can no longer be refreshed. */
export async function deleteExpiredTokensUnscoped(db: Db, now: number): Promise<number> {
  const result = await db.deleteFrom('token').where('refresh_expires_at', '<', timestamp(now)).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Revokes all open tokens of an owner but one; answers their ids. */
export async function revokeTokensUnscoped(
  db: Db,
  owner: { userId: string } | { clientId: string },
  except: string | null,
): Promise<string[]> {
  const rows = await db
    .updateTable('token')
    .set({ revoked: true })
    .where('userId' in owner ? 'user_id' : 'client_id', '=', 'userId' in owner ? owner.userId : owner.clientId)
    .where('revoked', '=', false)
    .$if(except !== null, (query) => query.where('id', '<>', except!))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
