/** Effects of a change before it is saved: computed by the access rules themselves, nothing is written. */
import { minutesOf, openSpans, weekDifference, weekMinutes, without, type Period, type Span } from '@gatehouse/access-rules'
import { EFFECT_DOORS, type AffectedPerson, type Effect } from '@gatehouse/contract/questions/calls'
import type { Platform } from '../../platform/context.ts'
import { personOrder } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PassageGuard } from '../approvals/index.ts'
import type { WorldChange } from '../strategies/index.ts'
import type { Standing, StandingDoor, StandingReader } from '../synchronisation/index.ts'
import { changeDrafted } from './changes.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { ruleDrafted, strategyDrafted, type Drafted, type StrategyDraft } from './drafts.ts'
import { effectsOf, type AffectedClass, type DoorEffect, type Effects, type Moved } from './effect.ts'
import { byName, compare, paged, type Page } from './pages.ts'
import type { QuestionService, AffectedQuery } from './service-types.ts'
import { personsOf, seenDoors } from './standing.ts'

const WEEK = 7 * 86_400_000
/** Largest number of doors named for a person who gains or loses many. */
const NAMED_DOORS = 3

const mutable = (periods: readonly Period[]): Period[] => periods.map((period) => ({ ...period }))

/** Return the minutes that the rule itself gains and loses within the window, including exception dates. */
function ruleMinutes(
  { timeRules }: Standing,
  { rule }: ReturnType<typeof ruleDrafted>,
  { from, to }: Span,
  zone: string,
): Pick<Effects, 'minutesGained' | 'minutesLost'> {
  const [was, will] = [openSpans(timeRules.get(rule.id)!, from, to, zone), openSpans(rule, from, to, zone)]
  return { minutesGained: minutesOf(without(will, was)), minutesLost: minutesOf(without(was, will)) }
}

function present({ classes, doors, minutesGained, minutesLost }: Effects): Effect {
  const countOf = (which: (counts: AffectedClass['counts']) => boolean): number =>
    classes.reduce((sum, { counts, persons }) => sum + (which(counts) ? persons.length : 0), 0)
  const most = doors.toSorted((one, other) => concernedAt(other) - concernedAt(one) || compare(one.door.name ?? '', other.door.name ?? ''))
  return {
    gain: countOf(({ gain }) => gain > 0),
    lose: countOf(({ lose }) => lose > 0),
    otherHours: countOf(({ gain, lose, otherHours }) => otherHours > 0 && gain + lose === 0),
    minutesGained,
    minutesLost,
    deviceCount: doors.length,
    devices: most.slice(0, EFFECT_DOORS).map(({ door, counts: { gain, lose, otherHours } }) => ({
      id: door.id,
      name: door.name ?? '',
      gain,
      lose,
      changedHours: otherHours > 0,
    })),
  }
}

const concernedAt = ({ counts }: DoorEffect): number => counts.gain + counts.lose

function affectedPage(scope: Scope, { classes }: Effects, { page, size, deviceId, what }: AffectedQuery): Page<AffectedPerson> {
  const affected = classes.flatMap((one) => {
    const concerns = one.counts[what] > 0 && (deviceId === undefined || one.doorsOf(what).some(({ id }) => id === deviceId))
    return concerns ? one.persons.map((person) => ({ person, doorsOf: one.doorsOf })) : []
  })
  const inOrder = personOrder(scope)
  const rows = paged(
    affected.toSorted((one, other) => inOrder(one.person, other.person)),
    { page, size },
  )
  return {
    total: affected.length,
    content: rows.map(({ person: { id, name, workNumber }, doorsOf }) => {
      const doors = doorsOf(what).filter((door) => deviceId === undefined || door.id === deviceId)
      return {
        id,
        name,
        workNumber,
        deviceCount: doors.length,
        deviceNames: doors
          .toSorted(byName)
          .slice(0, NAMED_DOORS)
          .map((door) => door.name ?? ''),
      }
    }),
    page,
    size,
  }
}

type DraftEffects = Omit<QuestionService, 'whoCanPass' | 'whereCanPass'>

export function createDraftEffects(
  platform: Platform,
  needs: QuestionDependencies,
  standings: StandingReader,
  guard: Pick<PassageGuard, 'breaches'>,
): DraftEffects {
  const { devices, organisation, reading } = needs

  /** Return what would change within the next seven days. @param doors those the caller may see; default: all */
  async function effectsOfDraft(
    before: Standing,
    drafted: Drafted & Moved,
    doors: readonly StandingDoor[] = [...before.doors.values()],
  ): Promise<Effects> {
    const { after, changed, ...moved } = drafted
    const from = platform.clock.now()
    const strategies = [...changed].flatMap((id) => [before.strategies.get(id) ?? [], after.strategies.get(id) ?? []].flat())
    // A change of the group of persons concerns only those persons.
    const persons = await (moved.persons === undefined
      ? personsOf(before, strategies)
      : before.persons({ ids: moved.persons.keys(), groupIds: [] }))
    return effectsOf({ before, ...drafted }, new Map(doors.map((door) => [door.id, door])), persons, { from, to: from + WEEK })
  }

  async function changeEffects(scope: Scope, change: WorldChange): Promise<Effects> {
    const standing = await standings.now(scope)
    const drafted = await changeDrafted(platform, scope, needs, standing, change)
    const seen = await seenDoors(devices, scope, standing)
    return effectsOfDraft(standing, drafted, drafted.doors === undefined ? seen : seen.filter(({ id }) => drafted.doors!.has(id)))
  }

  async function strategyEffects(scope: Scope, draft: StrategyDraft): Promise<Effects> {
    const standing = await standings.now(scope)
    const clock = { now: platform.clock.now(), zone: organisation.park(scope).zone }
    return effectsOfDraft(standing, await strategyDrafted(scope, reading, standing, draft, clock))
  }

  return {
    async strategyEffect(scope, draft) {
      return present(await strategyEffects(scope, draft))
    },
    async strategyEffectPersons(scope, { page, size, deviceId, what, ...draft }) {
      return affectedPage(scope, await strategyEffects(scope, draft), { page, size, deviceId, what })
    },
    async ruleEffect(scope, draft) {
      const standing = await standings.now(scope)
      const drafted = ruleDrafted(standing, draft)
      const { gained, lost } = weekDifference(standing.timeRules.get(draft.id)!.periods, drafted.rule.periods)
      const from = platform.clock.now()
      return {
        ...present(await effectsOfDraft(standing, drafted)),
        strategyCount: drafted.changed.size,
        week: { gained: mutable(gained), lost: mutable(lost), minutesGained: weekMinutes(gained), minutesLost: weekMinutes(lost) },
        sevenDays: ruleMinutes(standing, drafted, { from, to: from + WEEK }, organisation.park(scope).zone),
      }
    },
    async changeEffect(scope, change) {
      const [effects, breaches] = await Promise.all([changeEffects(scope, change), guard.breaches(scope, async () => change)])
      return { ...present(effects), breaches }
    },
    changeEffectPersons: async (scope, change, query) => affectedPage(scope, await changeEffects(scope, change), query),
    async ruleEffectPersons(scope, { page, size, deviceId, what, ...draft }) {
      const standing = await standings.now(scope)
      return affectedPage(scope, await effectsOfDraft(standing, ruleDrafted(standing, draft)), { page, size, deviceId, what })
    },
  }
}
