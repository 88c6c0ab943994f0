/**
 * The RSA keys under which passwords travel, because a form on plain HTTP must not send them in clear. The key changes every day, so that
 * used cipher texts need not be stored forever. Keys are stored in a table, because all nodes open the same cipher texts.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Platform } from '../../platform/context.ts'
import { timestamp } from '../../platform/database/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { LOGIN_KEY } from './login-key-migration.ts'

/** How long a key is the current one, and how long it still opens cipher texts afterwards. */
const DAY_MS = 86_400_000
/** How long another node may hand out a key that is no longer the current one. */
const REREAD_MS = 60_000
/** File of the only key of releases up to 0.1.0. */
const KEPT_FILE = 'login-key.pem'

export interface LoginKey {
  number: number
  privateKey: KeyObject
  /** PEM, SPKI. */
  publicKey: string
  startedAt: number
}

export interface LoginKeys {
  /** Make sure that there is a key that is not too old. */
  start(): Promise<void>
  current(): Promise<LoginKey>
  /**
   * Return the keys that open cipher texts now, the current one first. @param reread the table, because another node may just have made a
   * key
   */
  opening(reread?: boolean): Promise<LoginKey[]>
  /**
   * Make the next key where the current one is a day old. Delete keys that no longer open anything, with the record of what they opened.
   */
  rotate(): Promise<void>
}

export function createLoginKeys(platform: Pick<Platform, 'db' | 'clock' | 'crypto' | 'secrets'>): LoginKeys {
  const { clock, crypto, secrets } = platform
  const db = platform.db
  let cached: { keys: LoginKey[]; at: number } | null = null

  /** Return the newest two keys, the newest first. */
  async function read(): Promise<LoginKey[]> {
    const rows = await db.selectFrom('loginKey').selectAll().orderBy('number', 'desc').limit(2).execute()
    const opened = new Map(cached?.keys.map((key) => [key.number, key]))
    const keys = await Promise.all(
      rows.map(async ({ number, sealed, beganAt }) => {
        const before = opened.get(number)
        if (before !== undefined) return before
        const der = await crypto.open(INSTALLATION_ID, placeOf(LOGIN_KEY, String(number)), sealed)
        const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
        const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
        return { number, privateKey, publicKey, startedAt: Number(beganAt) }
      }),
    )
    cached = { keys, at: clock.now() }
    return keys
  }

  const recent = async (): Promise<LoginKey[]> => (cached !== null && Math.abs(clock.now() - cached.at) < REREAD_MS ? cached.keys : read())

  const stillOpens = ({ startedAt: replacedAt }: LoginKey): boolean => clock.now() < replacedAt + DAY_MS

  /** Store a key as the current one, unless another node has stored a key with this number. */
  async function store(number: number, privateKey: KeyObject): Promise<void> {
    const der = privateKey.export({ type: 'pkcs8', format: 'der' })
    const sealed = await crypto.seal(INSTALLATION_ID, placeOf(LOGIN_KEY, String(number)), der)
    await db
      .insertInto('loginKey')
      .values({ number, sealed, beganAt: timestamp(clock.now()) })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .execute()
  }

  async function rotate(): Promise<void> {
    const [before] = await read()
    // A clock that was set back must not leave a key current for longer than a day.
    if (before === undefined || Math.abs(clock.now() - before.startedAt) >= DAY_MS) {
      const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
      await store((before?.number ?? 0) + 1, privateKey)
    }
    const [current] = await read()
    const oldest = stillOpens(current!) ? current!.number - 1 : current!.number
    await db.deleteFrom('loginKey').where('number', '<', oldest).execute()
  }

  return {
    async start() {
      const kept = secrets.read(KEPT_FILE)
      // Clients that have its public key must be able to log in for another day.
      if (kept !== null && (await read()).length === 0) await store(1, createPrivateKey(kept))
      await rotate()
      await secrets.drop(KEPT_FILE)
    },
    current: async () => (await recent())[0]!,
    async opening(reread = false) {
      const [current, former] = reread ? await read() : await recent()
      return former !== undefined && stillOpens(current!) ? [current!, former] : [current!]
    },
    rotate,
  }
}
