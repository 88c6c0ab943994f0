/**
 * The check whether a name and an ID number agree. An installation with access to a population register replaces the checker; the one here
 * only knows how the numbers are formed.
 */

export interface RealIdCheck {
  /** Null: it cannot be told. */
  agrees: boolean | null
  /** Which checker said so. */
  checker: string
}
export type RealIdChecker = (name: string, idNumber: string) => Promise<RealIdCheck>

/** ISO 7064 MOD 11-2, as resident identity cards of the mainland carry it (GB 11643). */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECK_CHARACTERS = '10X98765432'

function isDay(text: string): boolean {
  const [year, month, day] = [text.slice(0, 4), text.slice(4, 6), text.slice(6)].map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return year > 1800 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Return whether 18 characters are a number of a resident identity card: the day of birth is one, and the last follows from the others. */
export function isResidentId(number: string): boolean {
  if (!/^\d{17}[\dX]$/.test(number) || !isDay(number.slice(6, 14))) return false
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(number[at]), 0)
  return CHECK_CHARACTERS[sum % 11] === number[17]
}

/**
 * Says no where a resident identity card cannot have this number, and cannot tell otherwise: whose number it is stands in a
 * register it does not have, and of other papers it knows nothing.
 */
export const formChecker: RealIdChecker = async (_name, idNumber) => {
  const number = idNumber.trim().toUpperCase()
  return { agrees: number.length === 18 && /^\d{17}/.test(number) && !isResidentId(number) ? false : null, checker: 'form' }
}
