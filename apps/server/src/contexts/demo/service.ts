/**
 * The demo campus. A client makes it through public calls, under a session of its own. Each transaction of that session locks the demo's
 * row. While the demo is wanted, what the transaction creates is marked in it; once the removal has begun, the transaction is refused. So
 * nothing exists without its mark, and nothing is added after the removal has begun.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { MadeThing } from '../../platform/audit/audit-types.ts'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { on } from '../../platform/events/events.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { inPark, type Caller, type Scope } from '../../platform/session/session.ts'
import type { Sessions } from '../identity/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import * as data from './data.ts'
import { demoRemoving } from './events.ts'
import { restoreNames } from './names.ts'
import { REMOVAL } from './removal.ts'
import type { RenamedNode } from './schema.ts'

/** Name and zone of a node of the tree while the park is a demo. */
export interface DemoName {
  name: string
  zone: string
}

export interface DemoService {
  /** Return the park that is or was the demo; null where there never was one. */
  park(): Promise<string | null>
  /** Return the demo of a park; undefined where the park has never been a demo. */
  read(scope: Scope): Promise<data.DemoRow | undefined>
  /** Return whether the demo is being made or complete, and its removal has not begun. */
  isWanted(scope: Scope): Promise<boolean>
  /**
   * Make the park the demo, to be filled in `total` steps, and rename it and its company. A repeated call completes what an interrupted
   * start left.
   */
  begin(scope: Scope, total: number, names: { company: DemoName; park: DemoName }): Promise<void>
  /** Open the session that makes the demo, as a user, in place of the previous one. @returns its bearer token */
  openSession(scope: Scope, userId: string): Promise<string>
  /** Note how many steps are done; the last one makes the demo complete. */
  advance(scope: Scope, done: number): Promise<void>
  /** Return the ids of the marked things, by entity. */
  things(scope: Scope): Promise<ReadonlyMap<string, readonly string[]>>
  /** Call the listener on each node when a removal begins. @returns how to unsubscribe */
  onRemoving(listener: (scope: Scope) => void): () => void
  /**
   * Stop the making and remove what is marked. Resolves when the removal has ended, or the caller no longer waits.
   * @returns whether the demo is gone, and how many things of each kind were removed
   */
  remove(scope: Scope, signal: AbortSignal): Promise<{ isRemoved: boolean; removed: Record<string, number> }>
  /** Resume removals that a stopped server left. */
  resume(): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<void>
}

export interface DemoNeeds {
  organisation: Pick<OrganisationService, 'get' | 'change' | 'park' | 'tree'>
  sessions: Pick<Sessions, 'issue' | 'session' | 'revoke'>
}

const calledAs = ({ name, zone }: DemoName): DemoName => ({ name, zone })

const SESSION_SECONDS = 86_400
const LOOK_EVERY_MS = 50
/** Most sessions for which it is cached whether they make a demo, which never changes. */
const REMEMBERED_MAX = 2_000

export function createDemoService(platform: Platform, { organisation, sessions }: DemoNeeds): DemoService {
  const db = platform.db
  const listeners = new Set<(scope: Scope) => void>()
  const parkOfMaker = new Map<string, string | undefined>()

  async function parkMadeBy(tx: Transaction, { tokenId }: Caller): Promise<string | undefined> {
    if (tokenId === undefined) return undefined
    if (parkOfMaker.has(tokenId)) return parkOfMaker.get(tokenId)
    const parkId = await data.findParkOfMakerUnscoped(tx, tokenId)
    if (parkOfMaker.size >= REMEMBERED_MAX) parkOfMaker.clear()
    parkOfMaker.set(tokenId, parkId)
    return parkId
  }

  /** Mark what the session that makes the demo created. @throws InvalidRequest when the removal has begun */
  async function admit(tx: Transaction, caller: Caller, made: readonly MadeThing[]): Promise<void> {
    const parkId = await parkMadeBy(tx, caller)
    if (parkId === undefined) return
    const demo = inPark(caller.scope, parkId)
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

  const requestRemoval = (scope: Scope): Promise<string> => platform.transaction((tx) => platform.work.request(tx, scope, REMOVAL, {}))

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
      // A start that was interrupted here continues here.
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
        // The token never leaves this process, and making devices requires a confirmed session.
        confirmedSeconds: SESSION_SECONDS,
      }
      const { access_token: bearer } = await platform.transaction((tx) => sessions.issue(tx, grant))
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
      const removal = await platform.transaction(async (tx) => {
        const row = await data.beginRemoval(scope, tx)
        if (row === undefined) return null
        await platform.events.announce(tx, demoRemoving, scope.parkId, {})
        return { ...row, workId: await platform.work.request(tx, scope, REMOVAL, {}) }
      })
      if (removal === null) return { isRemoved: true, removed: {} }
      if (removal.tokenId !== null) await sessions.revoke({ tokenId: removal.tokenId, park: organisation.park(scope) })
      while (!signal.aborted) {
        // Read in this order: work that has ended no longer changes the demo.
        const work = await platform.work.read(scope, removal.workId)
        const demo = await data.findDemo(scope, db)
        if (demo === undefined || demo.phase === 'removed') return { isRemoved: true, removed: demo?.removed ?? {} }
        if (work === null || (work.state !== 'waiting' && work.state !== 'running')) return { isRemoved: false, removed: demo.removed }
        await delay(LOOK_EVERY_MS)
      }
      return { isRemoved: false, removed: {} }
    },
    async resume() {
      for (const parkId of await data.listRemovingUnscoped(db)) await requestRemoval({ parkId })
    },
    erasePark: (tx, scope) => data.deleteDemoOfPark(scope, tx),
  }
}
