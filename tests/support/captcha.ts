/** Captchas, solved as by a person who sees where the piece fits. */
import { scryptSync } from 'node:crypto'
import {
  CAPTCHA_SCRYPT,
  captchaAnswerText,
  captchaWorkText,
  isCaptchaWorkDone,
  type CaptchaWork,
} from '@gatehouse/contract/identity/captcha'
import { ownCalls, type Captcha } from '@gatehouse/contract/identity/own'
import type { World } from '@gatehouse/dev-env/world'
import { query } from './embedded-postgres.ts'
import { askFrom, newAddress } from './from-address.ts'

/** Request a captcha from an address that has not requested one before. */
export async function newCaptcha(world: Pick<World, 'url'>): Promise<Captcha> {
  return (await askFrom(world, newAddress(), ownCalls.captcha, {})).data
}

/** Return the least number that solves the proof of work, or the least that does not. */
export function workOn({ salt, cost, bits }: CaptchaWork, wanted = true): number {
  const { length, r, p } = CAPTCHA_SCRYPT
  for (let counter = 0; ; counter++)
    if (isCaptchaWorkDone(scryptSync(captchaWorkText(counter), salt, length, { N: cost, r, p }), bits) === wanted) return counter
}

/** Return the pixel at which the piece of a captcha fits. */
export async function fittingPlace({ connectionString }: Pick<World, 'connectionString'>, id: string): Promise<number> {
  const [row] = await query<{ answer: number }>(connectionString, `select answer from captcha where id = '${id}'`)
  return row!.answer
}

/** Request a captcha and return an answer. @param beside pixels by which the answer is wrong */
export async function solveCaptcha(world: Pick<World, 'url' | 'connectionString'>, beside = 0): Promise<string> {
  const { id, work } = await newCaptcha(world)
  return captchaAnswerText({ id, x: (await fittingPlace(world, id)) + beside, counter: workOn(work) })
}
