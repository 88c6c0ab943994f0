/**
 * Whether devices of a park may still send their secret. Older and simpler devices know no other way, but a server that
 * impersonates this one can keep a secret that it is sent. The park's administrator decides when this ends.
 */
import type { z } from 'zod'
import type { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceSignIn } from '@gatehouse/contract/devices/sign-in'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import * as data from './data.ts'
import { deviceSecretsEnded } from './events.ts'

const setting = defineSetting('devices.signIn', deviceSignIn, { secretsTaken: true })

export interface SignIn {
  /** Return whether a device of this park may sign in with its secret. */
  takesSecrets(parkId: string): boolean
  read(scope: Scope): Promise<z.output<(typeof deviceCalls.signIn)['data']>>
  /** Return the codes of the devices that may no longer sign in with their secret, whichever server ended it; none if they still may. */
  ended(scope: Scope): Promise<string[]>
  /** End signing in with secrets, or allow it again; at the end, devices connected by their secret are disconnected. @throws Conflict */
  save(scope: Scope, values: z.output<(typeof deviceCalls.saveSignIn)['body']>): Promise<void>
}

export function createSignIn(platform: Platform, settings: Settings): SignIn {
  const db = platform.db
  return {
    takesSecrets: (parkId) => settings.read(parkId, setting).secretsTaken,
    async read(scope) {
      const { secretsTaken, version } = settings.show(scope.parkId, setting)
      return { secretsTaken, version, devices: await data.findSendingSecrets(scope, db) }
    },
    async save(scope, { version, secretsTaken }) {
      await settings.write(scope.parkId, setting, { secretsTaken }, version)
      if (!secretsTaken) await platform.transaction((tx) => platform.events.announce(tx, deviceSecretsEnded, scope.parkId, {}))
    },
    async ended(scope) {
      await settings.refresh(scope.parkId, setting)
      return settings.read(scope.parkId, setting).secretsTaken ? [] : data.findCodes(scope, db)
    },
  }
}
