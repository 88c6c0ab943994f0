/** Visitors who stand at the machine, each for as long as they do something. Sessions are in memory only. */
import { randomBytes } from 'node:crypto'
import type { MachineEvent } from '@gatehouse/contract/device/visitor-machine'
import type { Purpose } from './deciding.ts'

export type Step = 'look' | 'certificate' | 'confirm' | 'done'

export interface VisitorSession {
  readonly token: string
  readonly visitId: string
  readonly purpose: Purpose
  /** Text of the pass that was shown; null: the number was typed. */
  readonly pass: string | null
  step: Step
  /** Faces that did not match. */
  tries: number
  /** Raw score of the face that matched; null: none was compared. */
  score: number | null
  /** The certificate that was read or typed; null before. */
  certificate: MachineEvent['certificateInfo'] | null
  /** What the visitor is told in the end; null before. */
  outcome: { visitorName: string; hostName: string; isDelivered: boolean } | null
}

export interface VisitorSessions {
  open(session: Pick<VisitorSession, 'visitId' | 'purpose' | 'pass' | 'step'>): VisitorSession
  /** Return a session, which lives on from now; undefined once it has ended. */
  find(token: string): VisitorSession | undefined
  end(token: string): void
  endAll(): void
}

/** Sessions at once, at most: the oldest gives way. */
const MOST = 8

/** @param idleMs milliseconds without input after which a session ends */
export function createVisitorSessions(idleMs = 60_000): VisitorSessions {
  const sessions = new Map<string, { session: VisitorSession; timer: NodeJS.Timeout }>()

  function end(token: string): void {
    clearTimeout(sessions.get(token)?.timer)
    sessions.delete(token)
  }

  return {
    open(first) {
      const [oldest] = sessions.keys()
      if (oldest !== undefined && sessions.size >= MOST) end(oldest)
      const token = randomBytes(24).toString('base64url')
      const session: VisitorSession = { ...first, token, tries: 0, score: null, certificate: null, outcome: null }
      const timer = setTimeout(() => end(token), idleMs)
      timer.unref()
      sessions.set(token, { session, timer })
      return session
    },
    find(token) {
      const found = sessions.get(token)
      found?.timer.refresh()
      return found?.session
    },
    end,
    endAll: () => [...sessions.keys()].forEach(end),
  }
}
