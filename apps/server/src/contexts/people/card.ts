/** Numbers of cards: one number is one card, however it is written. */
import { cardNumberOf } from '@gatehouse/access-rules'

/**
 * The number itself. A reader says `00AF`, a list `175`, another `af`: all of them open for the same person, so they are
 * one. Numbers are never cut or turned round, so two cards never become one.
 *
 * @param text digits of the format; one of before there were formats is compared as it was written
 */
export function cardKeyOf(text: string | null, format: string): string | null {
  if (text === null) return null
  return cardNumberOf(text, format) ?? `=${text}`
}

/** The number of a key, as devices get it. */
export const writtenCard = (key: string): string => (key.startsWith('=') ? key.slice(1) : key)
