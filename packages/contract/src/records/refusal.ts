/** What is behind the reason of a refusal. */
import { failReason } from '../enums/access.ts'

interface Refused {
  personId: string | null
  failReason: number | null
  score: number | null
}

/** Whether a face was compared and resembled no registered person enough. The device reports it as an unregistered person. */
export const isLowSimilarity = ({ personId, failReason: reason, score }: Refused): boolean =>
  personId === null && reason === failReason.notRegistered && score !== null
