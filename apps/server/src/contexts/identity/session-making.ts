/** Makes sessions of tokens and of links to data screens. This file alone decides what a session may do. */
import { holds, type Circumstances } from '@gatehouse/contract/conditions'
import { deviceUpgradeType } from '@gatehouse/contract/enums/identity'
import { SCREEN_LINK_PERMISSIONS, isScreenLinkToken } from '@gatehouse/contract/identity/screen-links'
import type { Platform } from '../../platform/context.ts'
import { seeingNoWatchList, type NoSession, type Scope, type Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { findLinkUnscoped, noteLinkUsedUnscoped, type ScreenLinkRow } from './screen-links-data.ts'
import type { OwnerOf, SessionOwner } from './session-owners.ts'
import * as data from './token-data.ts'
import { digest } from './tokens.ts'

/** Value of the profile where no upgrade service is configured behind the link. */
const NO_UPGRADE_LINK = 0

/** In a privatised deployment, admin and operator also have the upgrade permission. */
const upgradeOf = ({ privatised, roleSign }: Circumstances): string[] =>
  privatised && (roleSign === 'admin' || roleSign === 'operator') ? ['device.upgrade'] : []

/** Return what a session's scope says of persons; empty where all persons exist for it and are shown in full. */
const sightOf = (watchList: boolean, masked: boolean): Pick<Scope, 'sees'> =>
  watchList && !masked ? {} : { sees: { watchList, ...(masked && { masked }) } }

export interface SessionMaking {
  /** Return the session of a token and when it ends by itself, in epoch milliseconds; null: never. */
  openedBy(token: string, now: number): Promise<{ session: Session | NoSession; expiresAt: number | null }>
  /** Return the session of a token id as it is now. */
  byId(tokenId: string, now: number): Promise<Session | NoSession>
}

export function createSessionMaking(platform: Platform, organisation: OrganisationService, ownerOf: OwnerOf): SessionMaking {
  const db = platform.db

  function sessionOf(row: Pick<data.TokenRow, 'id' | 'parkId'>, owner: SessionOwner): Session | 'unknown' {
    // A user who was moved elsewhere in the tree, or whose park was deleted, logs in again.
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

  /**
   * Return the session of a link: the data screen of its park, as far as the user who made the link may see it, for as long as they may
   * make one.
   */
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
      // A data screen does not show who made its link.
      roleSign: 'other',
      circumstances: { ...session.circumstances, roleSign: 'other', atRoot: false },
      permissions: new Set(SCREEN_LINK_PERMISSIONS.shown.filter((code) => session.permissions.has(code))),
      scope: seeingNoWatchList(session.scope),
    }
  }

  return {
    async openedBy(token, now) {
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
    },
    async byId(tokenId, now) {
      const row = await data.findTokenUnscoped(db, { id: tokenId })
      return row === undefined ? screenSessionNow(await findLinkUnscoped(db, { id: tokenId }), now) : sessionNow(row, now)
    },
  }
}
