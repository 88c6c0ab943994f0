/** What a visitor is shown of a visit: a name and a host only once it is certain who stands there. */
import type { VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import type { StoredVisit } from '../store/visits.ts'
import type { MachineAnswer } from './answers.ts'
import { FACE_TRIES, maskedName, type Refusal } from './deciding.ts'
import type { VisitorSession } from './sessions.ts'

/** What was wrong with a picture. */
export type PictureTrouble = { notMatched: true } | { picture: number } | null

/** Whether a valid pass was shown, or the face has matched. */
export const isProven = ({ pass, score }: Pick<VisitorSession, 'pass' | 'score'>): boolean => pass !== null || score !== null

/** Return the answer to a step. @param visit undefined if it has been deleted since */
export function shownStep(
  session: VisitorSession,
  visit: Pick<StoredVisit, 'name' | 'hostName'> | undefined,
  settings: Pick<VisitorMachineSettings, 'printsBadge'> | null,
  trouble: PictureTrouble,
): MachineAnswer {
  const { token, purpose, step, outcome, tries } = session
  const names = outcome ?? { visitorName: visit?.name ?? '', hostName: visit?.hostName ?? '' }
  const common = {
    session: token,
    purpose,
    visitorName: isProven(session) ? names.visitorName : maskedName(names.visitorName),
    hostName: isProven(session) ? names.hostName : '',
  }
  if (step === 'look') return { ...common, step, triesLeft: FACE_TRIES - tries, trouble }
  if (step !== 'done') return { ...common, step }
  return {
    ...common,
    step,
    hasHost: names.hostName !== '',
    isDelivered: outcome?.isDelivered ?? false,
    hasBadge: isProven(session),
    printsBadge: settings?.printsBadge ?? false,
  }
}

export const refusal = (reason: Refusal, from?: number): MachineAnswer => ({
  step: 'refused',
  reason,
  ...(from !== undefined && { from }),
})
