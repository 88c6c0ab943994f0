/**
 * Who may connect as a device. A secret that was made waits for the terminal (authorising) until the terminal pairs with
 * it (authorised), until it has waited too long, or until the terminal turns out to speak another protocol (unauthorised).
 */
import { createHash, randomBytes } from 'node:crypto'
import { PAIRING_SECRET_KEPT } from '@gatehouse/contract'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database.ts'
import type { Job } from '../../platform/jobs.ts'
import { NotFound } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import * as data from './data.ts'
import type { DeviceDirectory } from './directory.ts'
import { deviceSecretReset, deviceStatusChanged } from './events.ts'
import type { DevicesTables } from './schema.ts'

const DAY = 86_400_000
const { unauthorised, authorising } = deviceAuthorisationStatus

export interface PairingSecret {
  id: string
  code: string
  secret: string
}

export interface Pairing {
  /** A secret for a device that is being added, and what is stored of it. */
  fresh(): { secret: string; stored: data.PairingValues }
  /** Another secret; whoever is connected is cut off. @throws NotFound */
  renew(scope: Scope, id: string): Promise<PairingSecret>
  /** Nobody may connect as this device until there is another secret. @throws NotFound */
  revoke(scope: Scope, id: string): Promise<void>
  /** The terminal that was to pair cannot be one of ours: its secret ends. */
  refused(scope: Scope, id: string): Promise<void>
  /** Ends the secrets that have waited too long. @returns how many */
  lapse(): Promise<number>
  job: Job
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
/** The hash of no secret that anybody could know. */
const nothingOpens = (): data.PairingValues => ({ secretHash: randomBytes(32), secretUntil: null })

export function createPairing(platform: Platform, directory: DeviceDirectory): Pairing {
  const db = platform.db as unknown as Database<DevicesTables>
  type State = NonNullable<Awaited<ReturnType<typeof data.lockState>>>

  function fresh() {
    const secret = randomBytes(24).toString('base64url')
    return { secret, stored: { secretHash: digestOf(secret), secretUntil: platform.clock.now() + PAIRING_SECRET_KEPT * DAY } }
  }

  /** Puts another secret in the place of the one there is, and cuts off whoever is connected with that. @param change what of it, where the device still stands as it should */
  async function replace(
    scope: Scope,
    id: string,
    change: (state: State) => { stored: data.PairingValues; authorisation: number } | null,
  ): Promise<State | null> {
    const state = await platform.transaction(async (tx: Tx<DevicesTables>) => {
      const found = await data.lockState(scope, tx, id)
      if (found === undefined) return null
      const wanted = change(found)
      if (wanted === null) return found
      await data.updatePairing(scope, tx, id, { ...wanted.stored, authorisation: wanted.authorisation })
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
        // Paired since it was looked at, or given another one.
        if (authorisation !== authorising || secretUntil === null || Number(secretUntil) > now) return null
        ended++
        return { stored: nothingOpens(), authorisation: unauthorised }
      })
    }
    return ended
  }

  return {
    fresh,
    async renew(scope, id) {
      const { secret, stored } = fresh()
      const state = await replace(scope, id, ({ name }) => {
        platform.audit.note({ entity: 'device', id, label: name, before: { secret: 'the former' }, after: { secret: 'another' } })
        return { stored, authorisation: authorising }
      })
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
        return authorisation === unauthorised ? null : { stored: nothingOpens(), authorisation: unauthorised }
      })
      if (state === null) throw new NotFound()
    },
    async refused(scope, id) {
      await replace(scope, id, ({ authorisation }) =>
        authorisation === authorising ? { stored: nothingOpens(), authorisation: unauthorised } : null,
      )
    },
    lapse,
    job: {
      name: 'devices.endSecrets',
      schedule: '11 * * * *',
      run: async () => ({ outcome: 'success', counts: { secretsEnded: await lapse() } }),
    },
  }
}
