import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR, hourOf, planMails, type MailOutcome, type MailRules, type MailState, type PendingAlarm } from './alarm-mail-rules.ts'

const MINUTE = 60_000
const START = 500_000 * HOUR

/** A park's alarms as the tables store them, with every e-mail that was sent. */
function createPark(rules: MailRules) {
  let now = START
  let next = 0
  let state: Omit<MailState, 'repeats'> = { hour: hourOf(now), sent: 0, windows: new Map() }
  const rows = new Map<string, PendingAlarm & { outcome: MailOutcome | null; isIncluded: boolean }>()
  const mails: { kind: 'single' | 'followUp' | 'digest'; hour: number; ids: readonly string[] }[] = []
  const waiting = (outcome: MailOutcome) => [...rows.values()].filter((row) => row.outcome === outcome && !row.isIncluded)

  function send(kind: (typeof mails)[number]['kind'], ids: readonly string[]): void {
    mails.push({ kind, hour: hourOf(now), ids })
    for (const id of ids) rows.get(id)!.isIncluded = true
  }
  const park = {
    rows,
    mails,
    get now() {
      return now
    },
    state: () => state,
    alarm(key: string, level: number): string {
      const id = `alarm ${++next}`
      rows.set(id, { id, key, level, notedAt: now, outcome: null, isIncluded: false })
      return id
    },
    pass(minutes: number): void {
      now += minutes * MINUTE
    },
    run(): void {
      const ended = [...state.windows].filter(([, { endsAt }]) => endsAt <= now).map(([key]) => key)
      const repeats = new Map(
        ended.map((key) => [
          key,
          waiting('repeated')
            .filter((row) => row.key === key)
            .map(({ id }) => id),
        ]),
      )
      const pending = [...rows.values()].filter(({ outcome }) => outcome === null)
      const plan = planMails(rules, { ...state, repeats }, pending, now)
      const late = waiting('budget').map(({ id }) => id)
      if (plan.closesHour && late.length > 0) send('digest', late)
      for (const [id, outcome] of plan.outcomes) rows.get(id)!.outcome = outcome
      for (const id of plan.singles) send('single', [id])
      for (const { ids } of plan.followUps) send('followUp', ids)
      state = { hour: plan.hour, sent: plan.sent, windows: plan.windows }
    },
  }
  return park
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('alarm' as const),
      key: fc.constantFrom('a', 'b', 'c'),
      level: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 45 }) }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'run' as const }) },
)
const anyRules = fc.record({
  minLevel: fc.integer({ min: 0, max: 3 }),
  groupMinutes: fc.constantFrom(0, 1, 10, 90),
  budgetPerHour: fc.constantFrom(0, 1, 3),
})

describe('whatever happens', () => {
  test('every alarm is in exactly one e-mail, or below the level', () => {
    fc.assert(
      fc.property(anyRules, fc.array(step, { maxLength: 60 }), (rules, steps) => {
        const park = createPark(rules)
        for (const one of steps) {
          if (one.kind === 'alarm') park.alarm(one.key, one.level)
          else if (one.kind === 'pass') park.pass(one.minutes)
          else park.run()
        }
        // Windows end, then the hour of what went beyond its e-mails.
        for (let hours = 0; hours < 4; hours++) {
          park.run()
          park.pass(60)
        }
        park.run()
        const sent = park.mails.flatMap(({ ids }) => ids)
        expect(new Set(sent).size).toBe(sent.length)
        const quiet = [...park.rows.values()].filter(({ level }) => level < rules.minLevel).map(({ id }) => id)
        expect(new Set([...sent, ...quiet])).toEqual(new Set(park.rows.keys()))
        for (const id of quiet) expect(park.rows.get(id)!.outcome).toBe('level')
      }),
    )
  })

  test('an hour has no more e-mails than its budget, and one digest', () => {
    fc.assert(
      fc.property(anyRules, fc.array(step, { maxLength: 80 }), (rules, steps) => {
        const park = createPark(rules)
        for (const one of steps) {
          if (one.kind === 'alarm') park.alarm(one.key, one.level)
          else if (one.kind === 'pass') park.pass(one.minutes)
          else park.run()
        }
        for (const hour of new Set(park.mails.map((mail) => mail.hour))) {
          const ofHour = park.mails.filter((mail) => mail.hour === hour)
          const digests = ofHour.filter(({ kind }) => kind === 'digest').length
          expect(digests).toBeLessThanOrEqual(1)
          if (rules.budgetPerHour > 0) expect(ofHour.length - digests).toBeLessThanOrEqual(rules.budgetPerHour)
        }
      }),
    )
  })

  test('while the budget lasts, what is new is sent at once: a key without a window, a higher level', () => {
    fc.assert(
      fc.property(anyRules, fc.array(step, { maxLength: 60 }), (rules, steps) => {
        const park = createPark(rules)
        for (const one of steps) {
          if (one.kind === 'pass') park.pass(one.minutes)
          else if (one.kind === 'alarm') {
            park.run()
            const { sent, windows } = park.state()
            const window = windows.get(one.key)
            const id = park.alarm(one.key, one.level)
            park.run()
            const isNew = window === undefined || one.level > window.level
            const hasBudget = rules.budgetPerHour === 0 || sent < rules.budgetPerHour
            const expected = one.level < rules.minLevel ? 'level' : !isNew ? 'repeated' : hasBudget ? 'sent' : 'budget'
            expect(park.rows.get(id)!.outcome).toBe(expected)
          }
        }
      }),
    )
  })
})

describe('an example of each rule', () => {
  const rules = { minLevel: 2, groupMinutes: 10, budgetPerHour: 3 }

  test('repeats are counted in one follow-up at the end of the window, and a single alarm has none', () => {
    const park = createPark(rules)
    const [first, second, third] = [park.alarm('a', 2), park.alarm('a', 2), park.alarm('a', 2)]
    const other = park.alarm('b', 2)
    park.run()
    expect(park.mails.map(({ ids }) => ids)).toEqual([[first], [other]])
    park.pass(10)
    park.run()
    expect(park.mails.slice(2)).toMatchObject([{ kind: 'followUp', ids: [second, third] }])
    park.pass(50)
    park.run()
    expect(park.mails).toHaveLength(3)
  })

  test('an alarm after the end of the window is sent although the follow-up was not sent yet', () => {
    const park = createPark(rules)
    const [first, second] = [park.alarm('a', 2), park.alarm('a', 2)]
    park.run()
    park.pass(11)
    const later = park.alarm('a', 2)
    park.run()
    expect(park.mails.map(({ kind, ids }) => [kind, ...ids])).toEqual([
      ['single', first],
      ['single', later],
      ['followUp', second],
    ])
  })

  test('what goes beyond the budget is in the digest of the hour, repeats of a window too', () => {
    const park = createPark({ ...rules, budgetPerHour: 1 })
    const [first, repeat, other] = [park.alarm('a', 3), park.alarm('a', 3), park.alarm('b', 3)]
    park.run()
    park.pass(10)
    park.run()
    expect(park.mails.map(({ ids }) => ids)).toEqual([[first]])
    park.pass(50)
    park.run()
    expect(park.mails[1]).toMatchObject({ kind: 'digest', ids: [repeat, other] })
  })
})
