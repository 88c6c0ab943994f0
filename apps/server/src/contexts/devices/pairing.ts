/**
 * Who may connect as a device. A new secret waits for the terminal (authorising) until the terminal pairs with it
 * (authorised), until it expires, or until the terminal turns out to speak another protocol (unauthorised).
 */
import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { PAIRING_SECRET_KEPT } from '@gatehouse/contract'
import type { addedDevice, pairingSecret } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DeviceAdmission } from './admission.ts'
import type { PairingDecision } from './policy.ts'
import * as data from './data.ts'
import type { DeviceDirectory } from './directory.ts'
import { deviceSecretReset, deviceStatusChanged } from './events.ts'
import { putRelease } from './release.ts'
import { updateAuthor } from './release-data.ts'

const DAY = 86_400_000
const { unauthorised, authorising } = deviceAuthorisationStatus

export type PairingSecret = z.output<typeof pairingSecret>
export type AddedDevice = z.output<typeof addedDevice>

export interface Pairing {
  /** Return a secret for a device that is being added, and what is stored of it. */
  fresh(): { secret: string; stored: data.PairingValues }
  /** Return what is stored of a device as which no terminal may connect. */
  nothing(): data.PairingValues
  /** Make another secret. A connected terminal is disconnected, and without a release the persons are removed. @throws NotFound */
  renew(scope: Scope, id: string, decision: Pick<PairingDecision, 'by' | 'release'>): Promise<PairingSecret>
  /** End the secret: no terminal may connect as this device until there is another one. @throws NotFound */
  revoke(scope: Scope, id: string): Promise<void>
  /** End the secret of a device that waits for its terminal, since the terminal speaks another protocol. */
  refused(scope: Scope, id: string): Promise<void>
  /** End the secrets that expired before a terminal paired. @returns how many */
  lapse(): Promise<number>
  job: Job
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
/** Return a hash that no known secret has. */
const nothingOpens = (): data.PairingValues => ({ secretHash: randomBytes(32), secretUntil: null, authorisation: unauthorised })

export function createPairing(platform: Platform, directory: DeviceDirectory, admission: Pick<DeviceAdmission, 'release'>): Pairing {
  const db = platform.db
  type State = NonNullable<Awaited<ReturnType<typeof data.lockState>>>

  function fresh() {
    const secret = randomBytes(24).toString('base64url')
    const secretUntil = platform.clock.now() + PAIRING_SECRET_KEPT * DAY
    return { secret, stored: { secretHash: digestOf(secret), secretUntil, authorisation: authorising } }
  }

  /**
   * Replace the secret of a device, and disconnect the terminal that is connected with the old one.
   * @param change returns the new values from the locked state; null: leave the device as it is
   * @param also changes the device further in the same transaction
   * @param transaction opens the transaction
   */
  async function replace(
    scope: Scope,
    id: string,
    change: (state: State) => data.PairingValues | null,
    also: (tx: Transaction, state: State) => Promise<void> = async () => {},
    transaction: Platform['transaction'] = platform.transaction,
  ): Promise<State | null> {
    const state = await transaction(async (tx) => {
      const found = await data.lockState(scope, tx, id)
      if (found === undefined) return null
      const values = change(found)
      if (values === null) return found
      await data.updatePairing(scope, tx, id, values)
      await also(tx, found)
      await platform.events.announce(tx, deviceSecretReset, scope.parkId, { deviceIds: [id], code: found.code })
      const switched = found.online ? [{ deviceId: id, online: false, at: platform.clock.now() }] : []
      await platform.events.announce(tx, deviceStatusChanged, scope.parkId, { deviceIds: [id], switched })
      return found
    })
    await directory.refresh(scope, [id])
    return state
  }

  async function lapse(): Promise<number> {
    const now = platform.clock.now()
    let ended = 0
    for (const { id, parkId } of await data.findLapsedUnscoped(db, now)) {
      await replace({ parkId }, id, ({ authorisation, secretUntil }) => {
        // The device has paired since it was read, or has another secret.
        if (authorisation !== authorising || secretUntil === null || Number(secretUntil) > now) return null
        ended++
        return nothingOpens()
      })
    }
    return ended
  }

  return {
    fresh,
    nothing: nothingOpens,
    async renew(scope, id, { by, release }) {
      const { secret, stored } = fresh()
      const state = await replace(
        scope,
        id,
        ({ name, released }) => {
          const [before, after] = [
            { secret: 'the former', released },
            { secret: 'another', released: release },
          ]
          platform.audit.note({ entity: 'device', id, label: name, before, after })
          return stored
        },
        async (tx, found) => {
          await updateAuthor(scope, tx, id, by)
          await putRelease(platform, tx, scope, found, { by, release })
        },
        release ? (work) => admission.release(scope, id, work) : platform.transaction,
      )
      if (state === null) throw new NotFound()
      return { id, code: state.code, secret }
    },
    async revoke(scope, id) {
      const state = await replace(scope, id, ({ name, authorisation }) => {
        platform.audit.note({
          entity: 'device',
          id,
          label: name,
          before: { authorisationStatus: authorisation },
          after: { authorisationStatus: unauthorised },
        })
        return authorisation === unauthorised ? null : nothingOpens()
      })
      if (state === null) throw new NotFound()
    },
    async refused(scope, id) {
      await replace(scope, id, ({ authorisation }) => (authorisation === authorising ? nothingOpens() : null))
    },
    lapse,
    job: {
      name: 'devices.endSecrets',
      schedule: '11 * * * *',
      run: async () => ({ outcome: 'success', counts: { secretsEnded: await lapse() } }),
    },
  }
}
