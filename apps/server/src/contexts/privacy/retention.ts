/** The daily erasure of persons whose retention has ended by the park's settings; what a run does not reach, the next one does. */
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { PERSON_KINDS, type PersonKind } from '@gatehouse/contract/people/person-fields'
import type { Platform } from '../../platform/context.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PersonErasure } from '../people/index.ts'
import type { ErasureService } from './erasure-types.ts'
import type { PrivacySettings } from './settings.ts'

const DAY = 86_400_000
const BATCH = 50
/** Whose name the operation log shows. */
const ACTOR = 'retention'

export interface RetentionNeeds {
  parks(): readonly { id: string }[]
  policy: PrivacySettings
  persons: Pick<PersonErasure, 'over'>
  erasures: Pick<ErasureService, 'erase'>
}

/** The daily job `privacy.eraseOld`. */
export function createRetentionJob(platform: Platform, { parks, policy, persons, erasures }: RetentionNeeds): Job {
  /** A batch is a call of nobody: the operation log has an entry of each. */
  const batch = (scope: Scope, personIds: readonly string[]): Promise<number> =>
    platform.audit.during(privacyCalls.erase, null, '', async () => {
      platform.audit.actAs({ parkId: scope.parkId, userId: null, account: ACTOR, operator: ACTOR, source: 'local' })
      let erased = 0
      for (const personId of personIds) {
        try {
          await erasures.erase(scope, [personId], { origin: 'retention', reason: '', requestedBy: '' })
          erased++
        } catch (error) {
          // Tomorrow again; the others are not to wait for one.
          platform.log.warn({ err: error, person: personId }, 'a person past retention could not be erased')
        }
      }
      return erased
    })

  async function eraseKind(scope: Scope, kind: PersonKind, days: number): Promise<number> {
    const before = platform.clock.now() - days * DAY
    let erased = 0
    for (let after = BEFORE_ALL_IDS; ;) {
      const personIds = await persons.over(scope, kind, before, after, BATCH)
      if (personIds.length > 0) erased += await batch(scope, personIds)
      if (personIds.length < BATCH) return erased
      after = personIds.at(-1)!
    }
  }

  return {
    name: 'privacy.eraseOld',
    schedule: '37 2 * * *',
    async run() {
      let erased = 0
      for (const { id } of parks()) {
        const { retention } = policy.of({ parkId: id })
        for (const kind of PERSON_KINDS) {
          const days = retention[kind]
          if (days !== null) erased += await eraseKind({ parkId: id }, kind, days)
        }
      }
      return { outcome: erased > 0 ? 'success' : 'skipped', counts: { personsErased: erased } }
    },
  }
}
