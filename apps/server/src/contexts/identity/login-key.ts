/**
 * The RSA keys under which passwords travel; a form on plain http must not send them in clear. Another one every day, so that used
 * cipher texts need not be remembered for ever. Kept in a table, because all nodes have to open the same.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Platform } from '../../platform/context.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { LOGIN_KEY } from './login-key-migration.ts'
import type { IdentityTables } from './schema.ts'

/** How long a key is the current one, and how long it opens afterwards. */
const DAY_MS = 86_400_000
/** How long another node may give out a key that is no longer the current one. */
const REREAD_MS = 60_000
/** Where releases up to 0.1.0 kept their only key. */
const KEPT_FILE = 'login-key.pem'

export interface LoginKey {
  number: number
  privateKey: KeyObject
  /** PEM, SPKI. */
  publicKey: string
  beganAt: number
}

export interface LoginKeys {
  /** Make sure that there is a key that is not too old. */
  start(): Promise<void>
  current(): Promise<LoginKey>
  /** Return the keys that open what arrives now, the current one first. @param reread whether another node may just have made one */
  opening(reread?: boolean): Promise<LoginKey[]>
  /** Make the next key where the current one is a day old, and drop keys that open no more, with all that was opened with them. */
  rotate(): Promise<void>
}

export function createLoginKeys(platform: Pick<Platform, 'db' | 'clock' | 'crypto' | 'secrets'>): LoginKeys {
  const { clock, crypto, secrets } = platform
  const db = platform.db as unknown as Database<IdentityTables>
  let known: { keys: LoginKey[]; at: number } | null = null

  /** The newest two, the newest first. */
  async function read(): Promise<LoginKey[]> {
    const rows = await db.selectFrom('login_key').selectAll().orderBy('number', 'desc').limit(2).execute()
    const opened = new Map(known?.keys.map((key) => [key.number, key]))
    const keys = await Promise.all(
      rows.map(async ({ number, sealed, began_at: beganAt }) => {
        const before = opened.get(number)
        if (before !== undefined) return before
        const der = await crypto.open(INSTALLATION_ID, placeOf(LOGIN_KEY, String(number)), sealed)
        const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
        const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
        return { number, privateKey, publicKey, beganAt: Number(beganAt) }
      }),
    )
    known = { keys, at: clock.now() }
    return keys
  }

  const recent = async (): Promise<LoginKey[]> => (known !== null && Math.abs(clock.now() - known.at) < REREAD_MS ? known.keys : read())

  const stillOpens = ({ beganAt: replacedAt }: LoginKey): boolean => clock.now() < replacedAt + DAY_MS

  /** Store a key as the current one, unless another node has stored one of this number. */
  async function store(number: number, privateKey: KeyObject): Promise<void> {
    const der = privateKey.export({ type: 'pkcs8', format: 'der' })
    const sealed = await crypto.seal(INSTALLATION_ID, placeOf(LOGIN_KEY, String(number)), der)
    await db
      .insertInto('login_key')
      .values({ number, sealed, began_at: timestamp(clock.now()) })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .execute()
  }

  async function rotate(): Promise<void> {
    const [before] = await read()
    // A clock that was set back must not leave a key current for longer than a day.
    if (before === undefined || Math.abs(clock.now() - before.beganAt) >= DAY_MS) {
      const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
      await store((before?.number ?? 0) + 1, privateKey)
    }
    const [current] = await read()
    const oldest = stillOpens(current!) ? current!.number - 1 : current!.number
    await db.deleteFrom('login_key').where('number', '<', oldest).execute()
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
