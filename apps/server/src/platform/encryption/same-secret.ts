import { timingSafeEqual } from 'node:crypto'

/** Compare a secret or signature with a presented one, in a time that does not reveal how far they agree. */
export function sameSecret(expected: string, presented: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(presented)]
  return one.length === other.length && timingSafeEqual(one, other)
}
