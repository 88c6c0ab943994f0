/** Tokens of links, and the addresses that carry them. */
import { randomBytes } from 'node:crypto'
import type { VisitorLinkKind } from '@gatehouse/contract/visitors/appointments'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Scope } from '../../platform/session/session.ts'
import { insertLink } from './links-data.ts'

export interface NewLink {
  kind: VisitorLinkKind
  token: string
  visitId: string | null
  address: string
  expiresAt: number
}

export interface LinkTokens {
  hashOf(token: string): Buffer
  random(): string
  /**
   * Return the token of the visit that a page makes by a link under a key. The same again has the same token: that is how a visit is found
   * which was made already, although its answer was lost.
   */
  ofVisit(linkId: string, key: string): string
  /** Store a link; return its id, null where there is one of this token. */
  store(tx: Transaction, scope: Scope, link: NewLink): Promise<string | null>
}

const TOKEN_BYTES = 32

/** Return the address of a link's page. After the #: browsers do not send this part to a server, so that no log contains it. */
export const pageAddress = (start: string, kind: VisitorLinkKind, token: string): string =>
  `${start.replace(/\/+$/, '')}/visit.html#${kind}.${token}`

export function createLinkTokens({ crypto, clock }: Pick<Platform, 'crypto' | 'clock'>): LinkTokens {
  const hashOf = (token: string): Buffer => crypto.blindIndex(`visitor link ${token}`)
  return {
    hashOf,
    random: () => randomBytes(TOKEN_BYTES).toString('base64url'),
    ofVisit: (linkId, key) => crypto.blindIndex(`token of visit ${linkId} ${key}`).toString('base64url'),
    async store(tx, scope, { token, ...link }) {
      const id = newId()
      return (await insertLink(scope, tx, { id, tokenHash: hashOf(token), visits: 0, ...link }, clock.now())) ? id : null
    },
  }
}
