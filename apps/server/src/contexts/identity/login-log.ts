/** Entries of the operation log about refused logins. */
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { Account } from './data.ts'
import type { Claim } from './login-proof-types.ts'

export function createLoginLog(platform: Platform, organisation: OrganisationService) {
  /** The log shows the name that was typed, because the person who typed it is unknown. */
  function actAs({ account: name, loggedIn }: Pick<Claim, 'account' | 'loggedIn'>, account: Account | undefined): void {
    if (loggedIn !== undefined) return
    const parkId = account?.lastParkId ?? account?.organisationId ?? organisation.root().id
    platform.audit.actAs({ parkId, userId: null, account: name, operator: account?.realName ?? '', source: 'local' })
  }

  /** Note that a login was refused. */
  async function refused(claim: Pick<Claim, 'account' | 'loggedIn'>, account: Account | undefined, code: number): Promise<void> {
    actAs(claim, account)
    await platform.transaction(async () => {
      platform.audit.note({ entity: 'refusedLogin', id: account?.id ?? newId(), label: claim.account, after: { refusedWith: code } })
    })
  }

  return { refused }
}
