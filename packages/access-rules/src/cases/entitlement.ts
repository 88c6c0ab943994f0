/** Enabled, validity, strategies and their validity, several rules; and the order in which they are asked. */
import { always, anns, cases, DAY, face, HOUR, mistypedBoolean, never, NOW, passage, person, rule, showing, TODAY } from './passage.ts'

const closed = rule('closed', { forbiddenExceptionDates: [TODAY] })
const later = rule('later', { effectiveDate: '2026-03-03' })

export const entitlementCases = cases([
  ['somebody enabled', 'allowed', passage()],
  ['somebody disabled', 902, passage({ person: person({ enabled: false }) })],
  ['enabled that is no boolean', 902, passage({ person: person({ enabled: mistypedBoolean('true') }) })],
  ['the first millisecond of a validity', 'allowed', passage({ person: person({ validFrom: NOW }) })],
  ['the last before it', 902, passage({ person: person({ validFrom: NOW + 1 }) })],
  ['the last millisecond of a validity', 'allowed', passage({ person: person({ validTo: NOW }) })],
  ['the first after it', 902, passage({ person: person({ validTo: NOW - 1 }) })],
  ['a validity of one millisecond', 'allowed', passage({ person: person({ validFrom: NOW, validTo: NOW }) })],
  ['a validity turned round', 902, passage({ person: person({ validFrom: NOW + 1, validTo: NOW - 1 }) })],
  ['a validity without bounds', 'allowed', passage({ person: { id: 'ann', enabled: true } })],
  ['a validity that begins at no number', 902, passage({ person: person({ validFrom: Number.NaN }) })],
  ['a validity that ends at no number', 902, passage({ person: person({ validTo: Number.NaN }) })],
  [
    'a visitor at 23:59:59.999 of the last day',
    'allowed',
    passage({
      person: person({ validTo: Date.parse('2026-03-02T23:59:59.999+08:00') }),
      moment: Date.parse('2026-03-02T23:59:59.999+08:00'),
      rules: [always({ id: 'office' })],
    }),
  ],
  [
    'a visitor at 00:00 of the next',
    902,
    passage({
      person: person({ validTo: Date.parse('2026-03-02T23:59:59.999+08:00') }),
      moment: Date.parse('2026-03-03T00:00+08:00'),
      rules: [always({ id: 'office' })],
    }),
  ],
  ['disabled and expired', 902, passage({ person: person({ enabled: false, validTo: NOW - DAY }) })],

  ['no strategy', 19, passage({ strategies: [] })],
  ['a strategy in its first millisecond', 'allowed', passage({ strategies: [{ validFrom: NOW }] })],
  ['a strategy in its last millisecond', 'allowed', passage({ strategies: [{ validTo: NOW }] })],
  ['a strategy that ended a millisecond ago', 19, passage({ strategies: [{ validTo: NOW - 1 }] })],
  ['a strategy that begins in a millisecond', 6, passage({ strategies: [{ validFrom: NOW + 1 }] })],
  ['strategies that have all ended', 19, passage({ strategies: [{ validTo: NOW - 1 }, { id: 'b', validTo: NOW - DAY }] })],
  ['one ended, one to begin', 6, passage({ strategies: [{ validTo: NOW - 1 }, { id: 'b', validFrom: NOW + HOUR }] })],
  ['one ended, one in effect', 'allowed', passage({ strategies: [{ validTo: NOW - 1 }, { id: 'b' }] })],
  ['one to begin, one in effect', 'allowed', passage({ strategies: [{ validFrom: NOW + 1 }, { id: 'b' }] })],
  ['a strategy whose end is no number', 19, passage({ strategies: [{ validTo: Number.NaN }] })],
  ['a strategy whose beginning is no number', 6, passage({ strategies: [{ validFrom: Number.NaN }] })],
  [
    'an open rule of a strategy that has ended',
    6,
    passage({
      strategies: [
        { timeRuleIds: ['always'], validTo: NOW - 1 },
        { id: 'b', timeRuleIds: ['never'] },
      ],
      rules: [always(), never()],
    }),
  ],
  ['a strategy without a rule', 6, passage({ strategies: [{ timeRuleIds: [] }] })],
  ['a strategy without a method', 2, passage({ strategies: [{ methods: [] }] })],
  ['a rule the device does not hold', 6, passage({ rules: [] })],
  ['a rule it lacks, beside one that is open', 'allowed', passage({ strategies: [{ timeRuleIds: ['none', 'office'] }] })],
  [
    'the second rule of a strategy',
    'allowed',
    passage({ strategies: [{ timeRuleIds: ['never', 'office'] }], rules: [never(), rule('office')] }),
  ],
  [
    'the rule of a second strategy',
    'allowed',
    passage({ strategies: [{ timeRuleIds: ['never'] }, { id: 'b' }], rules: [never(), rule('office')] }),
  ],
  ['all rules closed', 6, passage({ strategies: [{ timeRuleIds: ['never', 'closed', 'later'] }], rules: [never(), closed, later] })],
  [
    'a date one rule forbids and another does not',
    'allowed',
    passage({ strategies: [{ timeRuleIds: ['closed', 'office'] }], rules: [closed, rule('office')] }),
  ],
  [
    'a date forbidden by all',
    6,
    passage({ strategies: [{ timeRuleIds: ['closed'] }, { id: 'b', timeRuleIds: ['closed'] }], rules: [closed] }),
  ],
  [
    'a rule not yet effective, beside one that is',
    'allowed',
    passage({ strategies: [{ timeRuleIds: ['later', 'office'] }], rules: [later, rule('office')] }),
  ],
  [
    'open for cards, closed for faces',
    2,
    passage({ strategies: [{ methods: [4] }, { id: 'b', timeRuleIds: ['never'] }], rules: [rule('office'), never()] }),
  ],
  ['open for cards, and for faces by another strategy', 'allowed', passage({ strategies: [{ methods: [4] }, { id: 'b', methods: [1] }] })],
  [
    'methods of two strategies do not add up',
    3,
    showing({ card: anns(), face: face() }, [], { strategies: [{ methods: [1] }, { id: 'b', methods: [4] }] }),
  ],
  ['the same strategy twice', 'allowed', passage({ strategies: [{}, {}] })],
  ['a method that is no number of the specification', 2, passage({ strategies: [{ methods: [16, 0, -1] }] })],

  [
    'a stranger is a stranger before all else',
    904,
    passage({ evidence: { face: face(1) }, person: person({ enabled: false }), strategies: [] }),
  ],
  ['disabled before without a strategy', 902, passage({ person: person({ enabled: false }), strategies: [] })],
  ['expired before outside the hours', 902, passage({ person: person({ validTo: NOW - 1 }), rules: [never({ id: 'office' })] })],
  ['without a strategy before the wrong method', 19, showing({ card: anns() }, [], { strategies: [] })],
  ['outside the hours before the wrong method', 6, showing({ card: anns() }, [1], { rules: [never({ id: 'office' })] })],
])
