/**
 * A visitor machine: finds the visit of who stands there, makes sure that it is them, and signs them in or off without the server, which is
 * told afterwards.
 */
import { randomUUID } from 'node:crypto'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import type { MachineEvent, VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import type { VisitorPasses } from '../passage/visitor-passes.ts'
import type { TerminalStore } from '../store/store.ts'
import type { StoredVisit } from '../store/visits.ts'
import type { Badge, MachineAnswer } from './answers.ts'
import {
  chooseVisit,
  createLookupLimit,
  judgeFace,
  needsCertificate,
  needsFace,
  type Choice,
  type Purpose,
  type Refusal,
} from './deciding.ts'
import { createEventWriter } from './event-writing.ts'
import type { Compared, FaceComparison } from './face-comparison.ts'
import { createVisitFinder } from './finding.ts'
import { createVisitorSessions, type Step, type VisitorSession } from './sessions.ts'
import { isProven, refusal, shownStep, type PictureTrouble } from './showing.ts'
import type { VisitSynchroniser } from './synchronising.ts'

export interface VisitorMachine {
  /** Null while the device is none. */
  settings(): VisitorMachineSettings | null
  /** Look for the visit of a phone number. */
  findByPhone(phone: string, purpose: Purpose): Promise<MachineAnswer>
  /** Look for the visit of a text that was read as a code. */
  findByCode(text: string, purpose: Purpose): Promise<MachineAnswer>
  /** Compare the face of a picture with the photo of the appointment. @throws FrameDropped `busy` */
  look(token: string, picture: Uint8Array): Promise<MachineAnswer>
  /** Take the number of a certificate. */
  certify(token: string, certificate: NonNullable<MachineEvent['certificateInfo']>): Promise<MachineAnswer>
  /** Sign the visitor in or off, which is durable when it is answered; once, however often it is asked. */
  confirm(token: string): Promise<MachineAnswer>
  /** Return the badge of who has been signed in; null if there is none to show. */
  badge(token: string): Badge | null
  /** Forget the visitor. */
  leave(token: string): void
  stop(): void
}

export interface VisitorMachineOptions {
  /** Null before the first settings. */
  deviceSettings: () => DeviceSettings | null
  store: Pick<TerminalStore, 'visits' | 'keepRoom' | 'makeRoom'>
  passes: Pick<VisitorPasses, 'genuine'>
  compare: FaceComparison
  synchroniser: Pick<VisitSynchroniser, 'synchronise' | 'isReached'>
  clock: () => number
  log: (sentence: string) => void
}

const PHONE_LOOKUPS = { most: 10, within: 60_000 }

export function createVisitorMachine({
  deviceSettings,
  store,
  passes,
  compare,
  synchroniser,
  clock,
  log,
}: VisitorMachineOptions): VisitorMachine {
  const { visits } = store
  const settings = () => deviceSettings()?.visitorMachine ?? null
  const sessions = createVisitorSessions()
  const limit = createLookupLimit(PHONE_LOOKUPS)
  const finder = createVisitFinder({ settings, visits, passes, synchroniser, clock })
  const write = createEventWriter(store, log)

  const shown = (session: VisitorSession, trouble: PictureTrouble = null): MachineAnswer =>
    shownStep(session, visits.find(session.visitId), settings(), trouble)

  function ended({ token }: VisitorSession, refused: Refusal): MachineAnswer {
    sessions.end(token)
    return refusal(refused)
  }

  function begin(choice: Choice<StoredVisit>, pass: string | null): MachineAnswer {
    if (choice.refused !== null) return refusal(choice.refused, choice.from)
    const { visit, purpose } = choice
    const needsLook = needsFace(visit, purpose, pass !== null)
    if (needsLook && !compare.canCompare(visit)) return refusal('photo')
    return shown(sessions.open({ visitId: visit.id, purpose, pass, step: needsLook ? 'look' : stepAfterFace(visit, purpose) }))
  }

  function stepAfterFace(visit: StoredVisit, purpose: Purpose): Step {
    const inForce = settings()
    return inForce !== null && needsCertificate(visit, purpose, inForce) ? 'certificate' : 'confirm'
  }

  /** Find a session with its visit, which may have been deleted or signed in elsewhere meanwhile. */
  function current(token: string): { session: VisitorSession; visit: StoredVisit } | MachineAnswer {
    const session = sessions.find(token)
    const inForce = settings()
    if (session === undefined || inForce === null) return { step: 'left' }
    if (session.step === 'done') return shown(session)
    const visit = visits.find(session.visitId)
    if (visit === undefined) return ended(session, 'notFound')
    const choice = chooseVisit([visit], { purpose: session.purpose, settings: inForce, now: clock() })
    if (choice.refused !== null) return ended(session, choice.refused)
    // Nobody is signed off who came to sign in.
    return choice.purpose === session.purpose ? { session, visit } : ended(session, 'alreadySignedIn')
  }

  /** Take the comparison of a face. */
  function judged(session: VisitorSession, visit: StoredVisit, compared: Compared | null): MachineAnswer {
    const inForce = deviceSettings()
    // The visitor may have left, and another picture of theirs may have been judged meanwhile.
    if (inForce === null || sessions.find(session.token) === undefined) return { step: 'left' }
    if (session.step !== 'look') return shown(session)
    if (compared === null) return ended(session, 'photo')
    if ('picture' in compared) return shown(session, compared)
    const verdict = judgeFace(compared, inForce, session.tries)
    if (verdict === 'desk') return ended(session, 'face')
    if (verdict === 'again') {
      session.tries++
      return shown(session, { notMatched: true })
    }
    session.score = compared.score
    session.step = stepAfterFace(visit, session.purpose)
    return shown(session)
  }

  return {
    settings,
    async findByPhone(phone, purpose) {
      const wait = limit.admit(performance.now())
      if (wait > 0) return { step: 'wait', retryAfter: Math.ceil(wait / 1000) }
      return begin(await finder.byPhone(phone, purpose), null)
    },
    findByCode: async (text, purpose) => begin(await finder.byCode(text, purpose), text),
    async look(token, picture) {
      const found = current(token)
      if ('step' in found) return found
      const { session, visit } = found
      return session.step === 'look' ? judged(session, visit, await compare.compare(visit, picture)) : shown(session)
    },
    async certify(token, certificate) {
      const found = current(token)
      if ('step' in found) return found
      const { session } = found
      if (session.step === 'certificate') {
        session.certificate = certificate
        session.step = 'confirm'
      }
      return shown(session)
    },
    async confirm(token) {
      const found = current(token)
      if ('step' in found) return found
      const { session, visit } = found
      if (session.step !== 'confirm') return shown(session)
      const event = eventOf(session, visit, clock())
      if (!write(event)) return ended(session, 'storage')
      session.step = 'done'
      session.outcome = { visitorName: visit.name, hostName: visit.hostName, isDelivered: false }
      await finder.synchronised()
      session.outcome.isDelivered = !visits.isWaiting(event.id)
      return shown(session)
    },
    badge(token) {
      const session = sessions.find(token)
      const inForce = settings()
      if (inForce === null || session === undefined || !isProven(session) || session.purpose !== 'signIn' || session.outcome === null)
        return null
      const { visitorName, hostName } = session.outcome
      return { visitorName, hostName, companyName: inForce.companyName, date: clock(), pass: session.pass }
    },
    leave: sessions.end,
    stop: sessions.endAll,
  }
}

/** Return what a visitor has done. */
const eventOf = ({ purpose, certificate, score }: VisitorSession, { id, status }: StoredVisit, occurredAt: number): MachineEvent => ({
  id: randomUUID(),
  visitId: id,
  kind: purpose === 'signIn' ? 'signedIn' : 'signedOff',
  occurredAt,
  status,
  ...(certificate && { certificateInfo: certificate }),
  score,
})
