/** Details of the reason of a refusal. */
import { failReason } from '../enums/access.ts'

interface Refused {
  personId: string | null
  failReason: number | null
  score: number | null
}

/**
 * Return whether a face was compared and was not similar enough to any registered person. The device reports it as an unregistered person.
 */
export const isLowSimilarity = ({ personId, failReason: reason, score }: Refused): boolean =>
  personId === null && reason === failReason.notRegistered && score !== null
