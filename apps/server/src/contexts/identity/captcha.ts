/** The slide captcha: the user moves a piece into its gap. Captchas are stored in a table, because another node may check the answer. */
import { scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { CAPTCHA_SCRYPT, captchaWorkText, isCaptchaWorkDone, readCaptchaAnswer } from '@gatehouse/contract/identity/captcha'
import type { Captcha } from '@gatehouse/contract/identity/own'
import type { Platform } from '../../platform/context.ts'
import { timestamp } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { drawCaptcha, PIECE, HEIGHT, WIDTH } from './captcha-picture.ts'

export interface Captchas {
  make(): Promise<Captcha>
  /** Return whether the answer solves a captcha that was made here, is unanswered and has not expired. */
  solved(answer: string): Promise<boolean>
  dropExpired(): Promise<number>
}

const VALID_MS = 5 * 60_000
/** Distance from the gap in pixels that is still accepted. */
const TOLERANCE = 6

const derive = promisify(scrypt) as (password: string, salt: string, length: number, options: ScryptOptions) => Promise<Buffer>

export function createCaptchas({ db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>): Captchas {
  async function isDone(salt: string, counter: number): Promise<boolean> {
    const { cost, bits } = config.captchaWork
    const { length, r, p } = CAPTCHA_SCRYPT
    return isCaptchaWorkDone(await derive(captchaWorkText(counter), salt, length, { N: cost, r, p, maxmem: 256 * cost * r }), bits)
  }

  return {
    async make() {
      const id = newId()
      const { left, top, background, piece } = await drawCaptcha()
      await db
        .insertInto('captcha')
        .values({ id, answer: left, expiresAt: timestamp(clock.now() + VALID_MS) })
        .execute()
      return { id, background, piece, width: WIDTH, height: HEIGHT, pieceSize: PIECE, top, work: { salt: id, ...config.captchaWork } }
    },
    async solved(text) {
      const answer = readCaptchaAnswer(text)
      if (answer === null) return false
      // Deleted at once, so that no answer can be tried twice, not even over two connections.
      const row = await db.deleteFrom('captcha').where('id', '=', answer.id).returning(['answer', 'expiresAt']).executeTakeFirst()
      if (row === undefined || Number(row.expiresAt) <= clock.now() || Math.abs(answer.x - row.answer) > TOLERANCE) return false
      return isDone(answer.id.toLowerCase(), answer.counter)
    },
    async dropExpired() {
      const result = await db.deleteFrom('captcha').where('expiresAt', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}
