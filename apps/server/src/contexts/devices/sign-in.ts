/**
 * Whether devices of a park may still send their secret. Older and simpler devices know no other way; what a device sends,
 * whoever answers in the server's place can keep. It ends when the park's administrator says so.
 */
import type { z } from 'zod'
import type { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceSignIn } from '@gatehouse/contract/devices/sign-in'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import * as data from './data.ts'
import { deviceSecretsEnded } from './events.ts'
import type { DevicesTables } from './schema.ts'

const setting = defineSetting('devices.signIn', deviceSignIn, { secretsTaken: true })

export interface SignIn {
  /** Whether a device of this park may come with its secret. */
  takesSecrets(parkId: string): boolean
  read(scope: Scope): Promise<z.output<(typeof deviceCalls.signIn)['data']>>
  /** Ends that, or takes it back; whoever is connected so is cut off. @throws Conflict */
  /** Codes of the devices that may not come with their secret any more, whichever server ended that; none where they still may. */
  ended(scope: Scope): Promise<string[]>
  save(scope: Scope, wishes: z.output<(typeof deviceCalls.saveSignIn)['body']>): Promise<void>
}

export function createSignIn(platform: Platform, settings: Settings): SignIn {
  const db = platform.db as unknown as Database<DevicesTables>
  return {
    takesSecrets: (parkId) => settings.read(parkId, setting).secretsTaken,
    async read(scope) {
      const { secretsTaken, version } = settings.show(scope.parkId, setting)
      return { secretsTaken, version, devices: await data.findSendingSecrets(scope, db) }
    },
    async save(scope, { version, secretsTaken }) {
      await settings.write(scope.parkId, setting, { secretsTaken }, version)
      if (!secretsTaken)
        await platform.transaction((tx: Tx<DevicesTables>) => platform.events.announce(tx, deviceSecretsEnded, scope.parkId, {}))
    },
    async ended(scope) {
      await settings.refresh(scope.parkId, setting)
      return settings.read(scope.parkId, setting).secretsTaken ? [] : data.findCodes(scope, db)
    },
  }
}
