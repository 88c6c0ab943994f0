/** The slide captcha: a piece that has to be moved into its gap. Kept in a table, because another node may check the answer. */
import { randomInt } from 'node:crypto'
import type { Captcha } from '@gatehouse/contract/identity/own'
import type { Platform } from '../../platform/context.ts'
import { timestamp, type Database } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { drawCaptcha, HEIGHT, PIECE, WIDTH } from './captcha-picture.ts'
import type { IdentityTables } from './schema.ts'

export interface Captchas {
  make(): Promise<Captcha>
  /** Whether `id:x` is the answer to one that was made, was not answered before and is not too old. */
  solved(answer: string): Promise<boolean>
  dropExpired(): Promise<number>
}

const VALID_MS = 5 * 60_000
/** Pixels beside the gap that still count. */
const TOLERANCE = 6

export function createCaptchas({ db: untyped, clock }: Pick<Platform, 'db' | 'clock'>): Captchas {
  const db = untyped as unknown as Database<IdentityTables>
  return {
    async make() {
      const left = randomInt(PIECE * 2, WIDTH - PIECE - 8)
      const top = randomInt(12, HEIGHT - PIECE - 12)
      const id = newId()
      const pictures = await drawCaptcha(left, top)
      await db
        .insertInto('captcha')
        .values({ id, answer: left, expires_at: timestamp(clock.now() + VALID_MS) })
        .execute()
      return { id, ...pictures, width: WIDTH, height: HEIGHT, pieceSize: PIECE, top }
    },
    async solved(answer) {
      const [, id, x] = /^([0-9a-f-]{36}):(-?\d{1,4}(?:\.\d+)?)$/i.exec(answer) ?? []
      if (id === undefined) return false
      // Taken out at once: no answer can be tried twice, from two connections neither.
      const row = await db.deleteFrom('captcha').where('id', '=', id).returning(['answer', 'expires_at']).executeTakeFirst()
      return row !== undefined && Number(row.expires_at) > clock.now() && Math.abs(Number(x) - row.answer) <= TOLERANCE
    },
    async dropExpired() {
      const result = await db.deleteFrom('captcha').where('expires_at', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}
