/** Captchas, solved by somebody who sees where the piece fits. */
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

/** A new captcha, as an address that asked for none before gets it. */
export async function newCaptcha(world: Pick<World, 'url'>): Promise<Captcha> {
  return (await askFrom(world, newAddress(), ownCalls.captcha, {})).data
}

/** The least number that solves the work, or that does not. */
export function workOn({ salt, cost, bits }: CaptchaWork, wanted = true): number {
  const { length, r, p } = CAPTCHA_SCRYPT
  for (let counter = 0; ; counter++)
    if (isCaptchaWorkDone(scryptSync(captchaWorkText(counter), salt, length, { N: cost, r, p }), bits) === wanted) return counter
}

/** The pixel at which the piece of a captcha fits. */
export async function fittingPlace({ connectionString }: Pick<World, 'connectionString'>, id: string): Promise<number> {
  const [row] = await query<{ answer: number }>(connectionString, `select answer from captcha where id = '${id}'`)
  return row!.answer
}

/** A new captcha, and its answer. @param beside pixels by which it is wrong */
export async function solveCaptcha(world: Pick<World, 'url' | 'connectionString'>, beside = 0): Promise<string> {
  const { id, work } = await newCaptcha(world)
  return captchaAnswerText({ id, x: (await fittingPlace(world, id)) + beside, counter: workOn(work) })
}
