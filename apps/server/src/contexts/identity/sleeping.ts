/** Disables accounts that were unused for long: a forgotten account must not be stolen. */
import { sleepingFields } from '@gatehouse/contract/identity/users'
import type { Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { defineSetting, type OrganisationService, type Settings } from '../organisation/index.ts'
import { administrators, demandAdministrator } from './administrators.ts'
import type { Sessions } from './sessions-types.ts'
import * as data from './users-data.ts'

const sleepingDays = defineSetting('identity.sleepingDays', sleepingFields, { days: 0 })
const DAY = 86_400_000

export interface Sleeping {
  config(): { days: number; version: number }
  configure(config: { days: number }, version: number | undefined): Promise<void>
  /** Disable accounts that have been unused for too long. @returns their number */
  disable(): Promise<number>
  job: Job
}

interface Parts {
  organisation: OrganisationService
  settings: Settings
  sessions: Sessions
}

export function createSleeping(platform: Platform, { organisation, settings, sessions }: Parts): Sleeping {
  const db = platform.db

  async function disable(): Promise<number> {
    const { days } = settings.read(INSTALLATION_ID, sleepingDays)
    if (days === 0) return 0
    const now = platform.clock.now()
    const unused = (await data.unusedSinceUnscoped(db, now - days * DAY)).map(({ id }) => id)
    const admins = await administrators(db, organisation.root().id, now)
    // One administrator must remain who can enable the others.
    const spared = admins.every((id) => unused.includes(id)) ? await data.lastUsedUnscoped(db, admins) : null
    const ids = unused.filter((id) => id !== spared)
    if (ids.length === 0) return 0
    await sessions.changing(ids, async (tx) => {
      await data.updateEnabledUnscoped(tx, ids, false, now)
      await demandAdministrator(tx, organisation.root().id, now, 'id')
    })
    return ids.length
  }

  return {
    disable,
    config() {
      const { days, version } = settings.show(INSTALLATION_ID, sleepingDays)
      return { days, version }
    },
    configure: (config, version) => settings.write(INSTALLATION_ID, sleepingDays, config, version),
    job: {
      name: 'identity.disableSleeping',
      schedule: '41 2 * * *',
      run: async () => ({ outcome: 'success', counts: { accountsDisabled: await disable() } }),
    },
  }
}
