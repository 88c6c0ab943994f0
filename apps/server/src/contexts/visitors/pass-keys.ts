/**
 * Keys that sign the QR passes of a park. The current one signs; devices verify by its public half, and by those of former keys until the
 * passes they signed have ended. A key is made when the first pass is issued, and replaced every half year.
 */
import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { passBytes, passText, type PassKey, type VisitorPass } from '@gatehouse/contract/device/visitor-pass'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import { passKeysChanged } from './events.ts'
import { deleteEndedKeysUnscoped, findParksWithOldKeysUnscoped, findPassKeys, insertPassKey, retirePassKey } from './passes-data.ts'
import { PASS_PRIVATE_KEY } from './schema.ts'

export interface PassKeys {
  /** Make the first key of the park where there is none. */
  prepare(scope: Scope): Promise<void>
  /** Return the text of a pass, signed by the current key. */
  textOf(scope: Scope, pass: Omit<VisitorPass, 'keyId'>): Promise<string>
  /** Return the public keys that devices verify by, oldest first. */
  publicKeys(scope: Scope): Promise<PassKey[]>
  /** Replace the current key. Passes that were handed out stay valid. */
  rotate(scope: Scope): Promise<void>
  job: Job
}

const KEY_DAYS = 180
const DAY = 86_400_000
const PUBLIC_KEY_BYTES = 32

export function createPassKeys(platform: Platform): PassKeys {
  const { db, crypto, clock } = platform

  /** Return false where another call made one. */
  async function make(scope: Scope): Promise<boolean> {
    const pair = generateKeyPairSync('ed25519')
    // The end of the DER encoding of an Ed25519 public key is the key.
    const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_KEY_BYTES)
    const id = createHash('sha256').update(publicKey).digest('hex').slice(0, 8)
    const privateKey = await crypto.seal(
      scope.parkId,
      placeOf(PASS_PRIVATE_KEY, scope.parkId, id),
      pair.privateKey.export({ format: 'der', type: 'pkcs8' }),
    )
    return platform.transaction(async (tx) => {
      const isMade = await insertPassKey(scope, tx, { id, publicKey, privateKey }, clock.now())
      if (isMade) await platform.events.announce(tx, passKeysChanged, scope.parkId, {})
      return isMade
    })
  }

  const currentKey = async (scope: Scope) => (await findPassKeys(scope, db)).find(({ endsAt }) => endsAt === null)

  async function prepare(scope: Scope): Promise<void> {
    if ((await currentKey(scope)) === undefined) await make(scope)
  }

  async function rotate(scope: Scope): Promise<void> {
    await platform.transaction((tx) => retirePassKey(scope, tx, clock.now()))
    await make(scope)
  }

  return {
    prepare,
    rotate,
    async textOf(scope, pass) {
      await prepare(scope)
      const { id, privateKey } = (await currentKey(scope))!
      const opened = await crypto.open(scope.parkId, placeOf(PASS_PRIVATE_KEY, scope.parkId, id), privateKey!)
      const signed = { ...pass, keyId: id }
      return passText(signed, sign(null, passBytes(signed), createPrivateKey({ key: opened, format: 'der', type: 'pkcs8' })))
    },
    async publicKeys(scope) {
      return (await findPassKeys(scope, db)).map(({ id, publicKey }) => ({ id, key: publicKey.toString('base64url') }))
    },
    job: {
      name: 'visitors.passKeys',
      schedule: '41 3 * * *',
      async run() {
        const now = clock.now()
        const old = await findParksWithOldKeysUnscoped(db, now - KEY_DAYS * DAY)
        for (const parkId of old) await rotate({ parkId })
        const ended = await platform.transaction(async (tx) => {
          const parks = await deleteEndedKeysUnscoped(tx, now)
          for (const parkId of parks) await platform.events.announce(tx, passKeysChanged, parkId, {})
          return parks
        })
        return { outcome: old.length + ended.length > 0 ? 'success' : 'skipped' }
      },
    },
  }
}
