/**
 * Removes the second factor of an account from outside the server. If the only administrator lost both phone and recovery codes, nobody
 * can remove it in the console. Anyone who can run this command can read the whole installation anyway.
 */
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { openInstallation } from '../backup/database.ts'
import type { Config } from '../config.ts'
import { findAccountUnscoped } from '../contexts/identity/data.ts'
import { deleteFactorUnscoped, forgetKnownDevicesUnscoped } from '../contexts/identity/second-factor-data.ts'
import { revokeTokensUnscoped } from '../contexts/identity/token-data.ts'
import { createAudit } from '../platform/audit/audit.ts'
import { systemClock } from '../platform/time/clock.ts'
import { openCrypto } from '../platform/encryption/crypto.ts'
import { assertRestored } from '../platform/database/restore-mark.ts'
import { openSecrets } from '../platform/encryption/secrets.ts'

/** Actor in the operation log. */
const COMMAND = 'npm run reset-second-factor'

/**
 * Remove the second factor, and end the sessions of the account, which a running server notices within seconds.
 *
 * @returns how many sessions ended
 * @throws Error with a sentence if there is no such account, or nothing to remove
 */
export async function resetSecondFactor({
  config,
  account: name,
}: {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'keyFile'>
  account: string
}): Promise<{ ended: number }> {
  assertRestored(config.dataDir)
  const database = await openInstallation(config as Config)
  try {
    const db = database.db
    const account = await findAccountUnscoped(db, { account: name })
    if (account === undefined) throw new Error(`There is no account ${name}.`)
    const crypto = await openCrypto(database.db, openSecrets(config.dataDir), config.keyFile)
    const audit = createAudit(database.db, systemClock, crypto, () => {})
    const { id, lastParkId, organisationId } = account
    return await audit.during(secondFactorCalls.reset, null, '', () =>
      audit.transaction((write) =>
        db.transaction().execute(async (tx) => {
          if (!(await deleteFactorUnscoped(tx, id))) throw new Error(`The account ${name} has no second factor.`)
          await forgetKnownDevicesUnscoped(tx, id)
          const ended = await revokeTokensUnscoped(tx, { userId: id }, null)
          audit.actAs({ parkId: lastParkId ?? organisationId, userId: null, account: COMMAND, operator: COMMAND, source: 'local' })
          audit.note({ entity: 'user', id, label: account.account, before: { secondFactor: true }, after: { secondFactor: false } })
          await write(tx)
          return { ended: ended.length }
        }),
      ),
    )
  } finally {
    await database.close()
  }
}
