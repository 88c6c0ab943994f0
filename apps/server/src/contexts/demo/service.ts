/**
 * The demo campus. A client makes it through public calls, under a session of its own. Each transaction of that session
 * locks the demo's row: while the demo is wanted, what the transaction creates is marked in it; once the removal has
 * begun, the transaction is refused. So nothing exists without its mark, and nothing is added behind the removal.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { MadeThing } from '../../platform/audit/audit.ts'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { on } from '../../platform/events/events.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { inPark, type Scope, type Session } from '../../platform/session/session.ts'
import type { Sessions } from '../identity/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import * as data from './data.ts'
import { demoRemoving } from './events.ts'
import { restoreNames } from './names.ts'
import { REMOVAL } from './removal.ts'
import type { DemoTables, RenamedNode } from './schema.ts'

/** What a node of the tree is called while the park is a demo. */
export interface DemoName {
  name: string
  zone: string
}

export interface DemoService {
  /** The park that is or was the demo; null where none ever was. */
  park(): Promise<string | null>
  /** Undefined where the park has never been a demo. */
  read(scope: Scope): Promise<data.DemoRow | undefined>
  /** Whether the demo is being made or complete, and its removal has not begun. */
  isWanted(scope: Scope): Promise<boolean>
  /** Make the park the demo, to be filled in so many steps, and rename it and its company. Repeated, it finishes what a broken start left. */
  begin(scope: Scope, total: number, names: { company: DemoName; park: DemoName }): Promise<void>
  /** Open the session that makes the demo, as a user, in place of the one before. @returns its bearer token */
  openSession(scope: Scope, userId: string): Promise<string>
  /** Note how many steps are done; the last one makes the demo complete. */
  advance(scope: Scope, done: number): Promise<void>
  /** Ids of the marked things, by entity. */
  things(scope: Scope): Promise<ReadonlyMap<string, readonly string[]>>
  /** Call the listener on each node when a removal begins. @returns how to unsubscribe */
  onRemoving(listener: (scope: Scope) => void): () => void
  /**
   * Stop the making and remove what is marked. Resolves when the removal has ended, or the caller no longer waits.
   * @returns whether the demo is gone, and how many things of each kind were removed
   */
  remove(scope: Scope, signal: AbortSignal): Promise<{ gone: boolean; removed: Record<string, number> }>
  /** Go on with removals that a stopped server left. */
  resume(): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<void>
}

export interface DemoNeeds {
  organisation: Pick<OrganisationService, 'get' | 'change' | 'park' | 'tree'>
  sessions: Pick<Sessions, 'issue' | 'session' | 'revoke'>
}

const calledAs = ({ name, zone }: DemoName): DemoName => ({ name, zone })

const SESSION_SECONDS = 86_400
const LOOK_EVERY_MS = 50
/** Sessions whose part in the demo is remembered; it never changes. */
const REMEMBERED_MAX = 2_000

export function createDemoService(platform: Platform, { organisation, sessions }: DemoNeeds): DemoService {
  const db = platform.db as unknown as Database<DemoTables>
  const listeners = new Set<(scope: Scope) => void>()
  const parkOfMaker = new Map<string, string | undefined>()

  async function parkMadeBy(tx: Tx<DemoTables>, { tokenId }: Session): Promise<string | undefined> {
    if (parkOfMaker.has(tokenId)) return parkOfMaker.get(tokenId)
    const parkId = await data.findParkOfMakerUnscoped(tx, tokenId)
    if (parkOfMaker.size >= REMEMBERED_MAX) parkOfMaker.clear()
    parkOfMaker.set(tokenId, parkId)
    return parkId
  }

  /** Mark what the maker created. @throws InvalidRequest when the removal has begun */
  async function admit(open: OpenTransaction, session: Session, made: readonly MadeThing[]): Promise<void> {
    const tx = open as Tx<DemoTables>
    const parkId = await parkMadeBy(tx, session)
    if (parkId === undefined) return
    const demo = inPark(session.scope, parkId)
    const phase = await data.holdPhase(demo, tx)
    if (phase !== 'preparing' && phase !== 'ready') throw new InvalidRequest([{ path: '', rule: 'noDemo' }])
    await data.insertThings(demo, tx, made)
  }
  platform.audit.follow(admit)

  platform.events.consume({
    name: 'demo.removing',
    mode: 'everyNode',
    handlers: [on(demoRemoving, ({ parkId }) => listeners.forEach((listener) => listener({ parkId })))],
  })

  const requestRemoval = (scope: Scope): Promise<string> =>
    platform.transaction((tx: Tx<DemoTables>) => platform.work.request(tx, scope, REMOVAL, {}))

  async function isWanted(scope: Scope): Promise<boolean> {
    const phase = (await data.findDemo(scope, db))?.phase
    return phase === 'preparing' || phase === 'ready'
  }

  return {
    park: () => data.findParkUnscoped(db),
    read: (scope) => data.findDemo(scope, db),
    isWanted,
    async begin(scope, total, names) {
      const park = organisation.get(scope.parkId)!
      const company = organisation.get(park.parentId!)!
      const renamed: RenamedNode[] = [
        { id: company.id, before: calledAs(company), after: calledAs(names.company) },
        { id: park.id, before: calledAs(park), after: calledAs(names.park) },
      ]
      await data.insertDemo(scope, db, { total, beganAt: platform.clock.now(), renamed })
      const demo = await data.findDemo(scope, db)
      // A start that was broken off here goes on here.
      if (demo?.phase !== 'preparing' || demo.done > 0) return
      for (const { id, after } of demo.renamed) await organisation.change(id, after)
      // A removal that began meanwhile may have found the names unchanged.
      if (!(await isWanted(scope))) await restoreNames(organisation, demo.renamed)
    },
    async openSession(scope, userId) {
      const before = (await data.findDemo(scope, db))?.tokenId ?? null
      if (before !== null) await sessions.revoke({ tokenId: before, park: organisation.park(scope) })
      const grant = {
        owner: { userId },
        parkId: scope.parkId,
        accessSeconds: SESSION_SECONDS,
        refreshSeconds: SESSION_SECONDS,
        // Its token leaves this process for nobody, and devices are made with it.
        confirmedSeconds: SESSION_SECONDS,
      }
      const { access_token: bearer } = await platform.transaction((tx: Tx<DemoTables>) => sessions.issue(tx, grant))
      const session = await sessions.session(bearer)
      if (typeof session === 'string') throw new Error(`a session of user ${userId} opens nothing: ${session}`)
      await data.updateMaker(scope, db, session.tokenId)
      return bearer
    },
    advance: (scope, done) => data.advanceDemo(scope, db, done),
    things: (scope) => data.findThings(scope, db),
    onRemoving(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async remove(scope, signal) {
      const asked = await platform.transaction(async (tx: Tx<DemoTables>) => {
        const begun = await data.beginRemoval(scope, tx)
        if (begun === undefined) return null
        await platform.events.announce(tx, demoRemoving, scope.parkId, {})
        return { ...begun, workId: await platform.work.request(tx, scope, REMOVAL, {}) }
      })
      if (asked === null) return { gone: true, removed: {} }
      if (asked.tokenId !== null) await sessions.revoke({ tokenId: asked.tokenId, park: organisation.park(scope) })
      while (!signal.aborted) {
        // In this order: work that is over has left the demo as it is.
        const work = await platform.work.read(scope, asked.workId)
        const demo = await data.findDemo(scope, db)
        if (demo === undefined || demo.phase === 'removed') return { gone: true, removed: demo?.removed ?? {} }
        if (work === null || (work.state !== 'waiting' && work.state !== 'running')) return { gone: false, removed: demo.removed }
        await delay(LOOK_EVERY_MS)
      }
      return { gone: false, removed: {} }
    },
    async resume() {
      for (const parkId of await data.listRemovingUnscoped(db)) await requestRemoval({ parkId })
    },
    erasePark: (tx, scope) => data.deleteDemoOfPark(scope, tx as Tx<DemoTables>),
  }
}
