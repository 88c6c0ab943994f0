/** Which visit a number or a code belongs to, without the server; one that is unknown here is asked for there. */
import { setTimeout as pause } from 'node:timers/promises'
import type { VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import { isPassText } from '@gatehouse/contract/device/visitor-pass'
import type { VisitorPasses } from '../passage/visitor-passes.ts'
import type { StoredVisit, VisitStore } from '../store/visits.ts'
import { chooseVisit, passRefusal, visitsOfPhone, type Choice, type Purpose } from './deciding.ts'
import type { VisitSynchroniser } from './synchronising.ts'

export interface VisitFinder {
  byPhone(phone: string, purpose: Purpose): Promise<Choice<StoredVisit>>
  byCode(text: string, purpose: Purpose): Promise<Choice<StoredVisit>>
  /** Synchronise, and wait for that as long as a visitor may; not at all while the server is away. */
  synchronised(): Promise<void>
}

export interface VisitFinderOptions {
  settings: () => VisitorMachineSettings | null
  visits: Pick<VisitStore, 'all'>
  passes: Pick<VisitorPasses, 'genuine'>
  synchroniser: Pick<VisitSynchroniser, 'synchronise' | 'isReached'>
  clock: () => number
}

/** Milliseconds a visitor waits for the server, which may know a visit that was accepted a moment ago. */
const SERVER_WITHIN = 3_000

export function createVisitFinder({ settings, visits, passes, synchroniser, clock }: VisitFinderOptions): VisitFinder {
  async function synchronised(): Promise<void> {
    if (!synchroniser.isReached()) return void synchroniser.synchronise()
    await Promise.race([synchroniser.synchronise(), pause(SERVER_WITHIN, undefined, { ref: false })])
  }

  async function choose(candidates: () => StoredVisit[], purpose: Purpose): Promise<Choice<StoredVisit>> {
    const chosen = (): Choice<StoredVisit> => {
      const inForce = settings()
      return inForce === null ? { refused: 'notFound' } : chooseVisit(candidates(), { purpose, settings: inForce, now: clock() })
    }
    const first = chosen()
    if (first.refused !== 'notFound' || !synchroniser.isReached()) return first
    await synchronised()
    return chosen()
  }

  const visitsOf = (personId: string): StoredVisit[] => visits.all().filter((visit) => visit.personId === personId)

  /** Whether another pass has taken the place of this one; the server is asked before one is called void that it may just have made. */
  async function isReplaced({ id, personId }: { id: string; personId: string }): Promise<boolean> {
    const isOther = (): boolean => visitsOf(personId).length > 0 && visitsOf(personId).every(({ passId }) => passId !== id)
    if (isOther() && synchroniser.isReached()) await synchronised()
    return isOther()
  }

  return {
    byPhone: (phone, purpose) => choose(() => visitsOfPhone(visits.all(), phone), purpose),
    async byCode(text, purpose) {
      const pass = isPassText(text) ? passes.genuine(text) : null
      const refused = passRefusal(pass, pass !== null && (await isReplaced(pass)), clock())
      if (pass === null || refused !== null) return { refused: refused ?? 'passInvalid' }
      return choose(() => visitsOf(pass.personId), purpose)
    },
    synchronised,
  }
}
