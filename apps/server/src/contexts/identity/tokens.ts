/** Pairs of an access token and a refresh token. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Tokens } from '@gatehouse/contract/identity/calls'
import type { Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'

export const digest = (token: string): Buffer => createHash('sha256').update(token).digest()
const secretText = (): string => randomBytes(32).toString('base64url')

export interface TokenPair {
  access: string
  refresh: string
}

export const newPair = (): TokenPair => ({ access: secretText(), refresh: secretText() })

/**
 * Return the pair that replaces a refresh token. The same token is always replaced by the same pair, so that it can be answered again;
 * nobody without the key can derive it.
 */
export async function pairAfter({ crypto }: Pick<Platform, 'crypto'>, refreshToken: string): Promise<TokenPair> {
  const key = await crypto.derivedKey(INSTALLATION_ID, 'tokens after a refresh')
  const derive = (purpose: string): string => createHmac('sha256', key).update(`${purpose} ${refreshToken}`).digest('base64url')
  return { access: derive('access'), refresh: derive('refresh') }
}

/**
 * Return a pair as it is answered and as it is stored.
 * @param refreshExpiresAt epoch milliseconds; the access token expires then at the latest
 */
export function secretsOf({ access, refresh }: TokenPair, accessSeconds: number, refreshExpiresAt: number, now: number) {
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
