/**
 * The guard of every change that could let a person pass somewhere. A park without written rules costs one index lookup. In a
 * park with rules, changes are made one after the other, so that two together cannot achieve what neither may: a change waits for
 * its turn without a database connection; then one transaction locks the park for other nodes, checks the change and writes it.
 * Changes that a linked park makes to its own persons are not guarded: they show in the list of persons who break a rule.
 */
import type { Breach, Breaker } from '@gatehouse/contract/approvals/written-rules'
import type { Platform } from '../../platform/context.ts'
import { assertNotInTransaction } from '../../platform/database/nesting.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { createTurns } from '../../platform/async/turns.ts'
import { Conflict, NotFound, refuse } from '../../platform/http/refusal.ts'
import { seeingAll, seesAllDevices, type Scope } from '../../platform/session/session.ts'
import type { Guarding, WorldChange, Terms } from '../strategies/index.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { createBreakerPages, type Page, type Paging } from './breakers.ts'
import { isWithin, newPassages } from './written-rules-agreed.ts'
import { AgainstWrittenRules, breachOf, forbiddenBy, placesOf, type Found } from './written-rules-breaches.ts'
import { newHits, type Compared, type Forbidden } from './written-rules-check.ts'
import { findEnabledRules, findWrittenRule, lockPark, type WrittenRuleRow } from './written-rules-data.ts'
import { naming, type World } from './written-rules-world.ts'
import { createWorlds, type WorldNeeds } from './written-rules-worlds.ts'

export interface PassageGuard extends Guarding {
  /** Return the rules that a change would newly break, as the user sees them. */
  breaches(scope: Scope, change: () => Promise<WorldChange>): Promise<Breach[]>
  /** Return the persons who would newly break one of the rules, by name. @throws NotFound */
  breachers(scope: Scope, ruleId: string, change: () => Promise<WorldChange>, paging: Paging): Promise<Page<Breaker>>
  /** Return the persons who break a rule now. */
  standing(scope: Scope, rule: Forbidden, paging: Paging): Promise<Page<Breaker>>
}

/** Largest number of changes of a park that wait for their turn. */
const WAITING = 1_000
/** How long a change waits, in milliseconds: by then the caller has given up. */
const PATIENCE = 60_000

/**
 * Create the guard. Written rules hold for every person, and the world of a park is cached for all callers: persons of the watch
 * list never count as breakers.
 */
export function createPassageGuard(platform: Platform, needs: WorldNeeds): PassageGuard {
  const { devices } = needs
  const db = platform.db
  const turns = createTurns({ waitingMax: WAITING, patienceMs: PATIENCE })
  const worlds = createWorlds(platform, needs)
  const pageOf = createBreakerPages(needs)

  async function breachesOf(
    scope: Scope,
    rules: readonly WrittenRuleRow[],
    change: () => Promise<WorldChange>,
    within?: Transaction,
  ): Promise<Found[]> {
    const made = rules.length === 0 ? undefined : await change()
    if (made === undefined || (made.of === 'persons' && made.persons.length === 0) || (made.of === 'devices' && made.devices.length === 0))
      return []
    const look = async (both: Compared): Promise<Found[]> => {
      const found: Found[] = []
      for (const rule of rules) {
        const hits = await newHits(forbiddenBy(rule), both, worlds.now(scope), worlds.persons(scope, within))
        if (hits.length > 0) found.push({ hits, breach: breachOf(rule, hits), passages: newPassages(hits) })
      }
      return found
    }
    if (made.of === 'persons') {
      // An import saves thousands one by one, so a cached world is checked first. A refusal contains names, which the stamp of history does
      // not cover: for it the world is read again.
      const standing = await worlds.cached(scope, within)
      if ((await look({ before: standing, after: naming(standing, made.persons), change: made })).length === 0) return []
    }
    return look(await worlds.compared(scope, made, within))
  }

  /** Return breaches as a scope sees them: doors that are not visible to it are neither named nor counted. */
  async function visibleTo(visible: Scope, found: readonly Found[], within?: Transaction): Promise<readonly Found[]> {
    if (seesAllDevices(visible)) return found
    const doors = new Set(found.flatMap(({ hits }) => hits.flatMap((hit) => hit.doors.map(({ id }) => id))))
    const seen = new Set((await devices.names(visible, [...doors], within)).map(({ id }) => id))
    return found.map(({ hits, breach, ...one }) => {
      const shown = hits.map((hit) => ({ ...hit, doors: hit.doors.filter(({ id }) => seen.has(id)) })).filter((hit) => hit.doors.length > 0)
      return { ...one, hits: shown, breach: { ...breach, ...placesOf(shown) } }
    })
  }

  /** @throws AgainstWrittenRules; Conflict; as `during` does */
  async function assertAllowed(
    visible: Scope,
    change: (within: Transaction) => Promise<WorldChange>,
    { field = '', approved }: Terms,
    tx: Transaction,
  ): Promise<void> {
    const scope = seeingAll(visible)
    const found = await breachesOf(scope, await findEnabledRules(scope, tx), () => change(tx), tx)
    const open = found.filter(
      ({ breach: { rule, reaction }, passages }) => reaction === 'refuse' || !isWithin(approved?.get(rule.id) ?? [], passages),
    )
    // Agreement does not cover what was added later, and the same change does not ask a second time.
    if (approved !== undefined && open.length > 0 && open.every(({ breach }) => breach.reaction === 'ask')) throw new Conflict([])
    if (open.length > 0) throw new AgainstWrittenRules(await visibleTo(visible, open, tx), field)
  }

  return {
    async during<T>(
      visible: Scope,
      change: (within: Transaction) => Promise<WorldChange>,
      work: (tx: Transaction) => Promise<T>,
      terms: Terms = {},
    ): Promise<T> {
      // Before the turn: a nested call would wait for the turn of its own caller.
      assertNotInTransaction()
      if ((await findEnabledRules(visible, db)).length === 0) return platform.transaction(work)
      const leave = await turns.enter(visible.parkId).catch(() => refuse(900000))
      try {
        return await platform.transaction(async (tx) => {
          // Other nodes make changes too.
          await lockPark(visible, tx)
          await assertAllowed(visible, change, terms, tx)
          return work(tx)
        })
      } finally {
        leave()
      }
    },
    breaches: async (visible, change) =>
      (await visibleTo(visible, await breachesOf(seeingAll(visible), await findEnabledRules(visible, db), change))).map(
        ({ breach }) => breach,
      ),
    async breachers(visible, ruleId, change, paging) {
      const scope = seeingAll(visible)
      const rule = isUuid(ruleId) ? await findWrittenRule(scope, db, ruleId) : undefined
      if (rule === undefined) throw new NotFound()
      return pageOf(
        visible,
        await newHits(forbiddenBy(rule), await worlds.compared(scope, await change()), worlds.now(scope), worlds.persons(scope)),
        paging,
      )
    },
    async standing(visible, rule, paging) {
      const scope = seeingAll(visible)
      const after = await worlds.current(scope)
      const nothing: World = { ...after, strategies: new Map() }
      return pageOf(
        visible,
        await newHits(rule, { before: nothing, after, change: undefined }, worlds.now(scope), worlds.persons(scope)),
        paging,
      )
    },
  }
}
