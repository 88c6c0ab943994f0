/** The fifteen access methods of the specification: each factor right, wrong, nobody's, missing, of somebody else, too late. */
import type { Evidence, Factor, PersonFactor } from '../evidence.ts'
import { anns, cases, face, NOW, passage, person, SECOND, showing, type Case } from './passage.ts'

/** Method · what it is called · its factors · the fail reason where no strategy takes it · those of each factor that is wrong. */
const METHODS: readonly (readonly [number, string, readonly Factor[], number, readonly number[]])[] = [
  [1, 'face', ['face'], 2, [904]],
  [2, 'ID card and number', ['idCard', 'idNumber'], 4, [4, 4]],
  [3, 'ID card and face', ['idCard', 'face'], 4, [4, 2]],
  [4, 'card', ['card'], 3, [3]],
  [5, 'card and face', ['card', 'face'], 3, [3, 2]],
  [6, 'QR code', ['qrCode'], 5, [5]],
  [7, 'QR code and face', ['qrCode', 'face'], 5, [5, 2]],
  [8, 'device password', ['devicePassword'], 21, [21]],
  // A device password names nobody: whose face is not known is not registered.
  [9, 'device password and face', ['devicePassword', 'face'], 21, [21, 904]],
  [10, 'personal password and face', ['personalPassword', 'face'], 21, [21, 2]],
  [11, 'smart personal password and face', ['smartPersonalPassword', 'face'], 21, [21, 2]],
  [12, 'handprint', ['handprint'], 20, [20]],
  [13, 'ID verification', ['idCard', 'idPortrait'], 4, [4, 4]],
  [14, 'card and password', ['card', 'personalPassword'], 3, [3, 21]],
  [15, 'personal password', ['personalPassword'], 21, [21]],
]
const NUMBERS = METHODS.map(([method]) => method)

function shown(factor: Factor, fields: Partial<PersonFactor> = {}): Evidence {
  const evidence: Evidence = {}
  if (factor === 'face') evidence.face = face(90, fields)
  else evidence[factor] = anns(fields)
  return evidence
}
const wrong = (factor: Factor): Evidence => (factor === 'face' ? { face: face(59) } : shown(factor, { matched: false }))
const names = (factor: Factor) => factor !== 'devicePassword' && factor !== 'idPortrait'
const nobodyIf = (condition: boolean) => (condition ? { person: null } : {})

const eachMethod = METHODS.flatMap(([method, name, factors, refused, wrongs]) => {
  const right: Evidence = Object.assign({}, ...factors.map((factor) => shown(factor)))
  const nobody = nobodyIf(method === 8)
  /** Of one factor a second is waited for, where a method of both is taken. */
  const elsewhere = factors.length === 2 ? NUMBERS.filter((other) => other !== method) : [method === 12 ? 4 : 12]
  return cases([
    [`${name}: right`, 'allowed', showing(right, [method], nobody)],
    [`${name}: right, where all methods pass`, 'allowed', showing(right, NUMBERS, nobody)],
    [`${name}: right, where methods ${elsewhere.join()} pass`, refused, showing(right, elsewhere, nobody)],
    [
      `${name}: right, while the strategy for it is closed`,
      refused,
      passage({ evidence: right, ...nobody, strategies: [{ methods: [0] }, { methods: [method], timeRuleIds: ['none'] }] }),
    ],
    ...factors.map(
      (factor, place) => [`${name}: ${factor} wrong`, wrongs[place]!, showing({ ...right, ...wrong(factor) }, [method], nobody)] as const,
    ),
    ...factors.filter(names).map((factor) => {
      const isNamed = factors.some((other) => other !== factor && names(other))
      const reason = isNamed ? wrongs[factors.indexOf(factor)]! : 904
      return [
        `${name}: ${factor} genuine, and nobody's`,
        reason,
        showing({ ...right, ...shown(factor, { personId: null }) }, [method]),
      ] as const
    }),
  ])
})

const eachPair = METHODS.filter(([, , factors]) => factors.length === 2).flatMap(([method, name, [a, b], , wrongs]) => {
  if (!a || !b) return []
  const early = NOW - 10 * SECOND
  const both = (first: number, second: number) => showing({ ...shown(a, { seenAt: first }), ...shown(b, { seenAt: second }) }, [method])
  const alone = (factor: Factor, seenAt: number | null) =>
    showing(shown(factor, { seenAt }), [method], nobodyIf(factor === 'devicePassword'))
  /** The person looked up is the one who is believed: a face rather than a password. */
  const believed = person({ id: a.endsWith('ersonalPassword') ? 'bob' : 'ann' })
  return cases([
    [`${name}: ${b} in the last millisecond of the wait`, 'allowed', both(early, NOW)],
    [`${name}: ${b} a millisecond too late`, 16, both(early - 1, NOW)],
    [`${name}: ${b} first, ${a} a millisecond too late`, 16, both(NOW, early - 1)],
    [`${name}: ${a} alone, just now`, `waits for ${b}`, alone(a, NOW)],
    [`${name}: ${a} alone, in the last millisecond of the wait`, `waits for ${b}`, alone(a, early)],
    [`${name}: ${a} alone, a millisecond later`, 16, alone(a, early - 1)],
    [`${name}: ${a} alone, nobody knows since when`, wrongs[0]!, alone(a, null)],
    [`${name}: ${b} alone, just now`, names(b) ? `waits for ${a}` : 904, alone(b, NOW)],
    ...(names(a) && names(b)
      ? [
          [
            `${name}: of two persons`,
            102,
            showing({ ...shown(a), ...shown(b, { personId: 'bob' }) }, [method], { person: believed }),
          ] as const,
        ]
      : []),
  ])
})

/** A person who may use some methods only, such as a visitor. */
const ofThePerson = cases([
  ['a person with methods of their own: by one of them', 'allowed', passage({ person: person({ methods: [1, 4] }) })],
  ['a person with methods of their own: by another', 2, passage({ person: person({ methods: [4] }) })],
  ['a person with an empty list of methods', 2, passage({ person: person({ methods: [] }) })],
  ['a person whose list of methods is null', 'allowed', passage({ person: person({ methods: null }) })],
  ['a person with a method that no strategy takes', 3, showing({ card: anns() }, [1], { person: person({ methods: [4] }) })],
  [
    'a person with a method of two factors, by the first',
    'waits for card',
    showing({ face: face() }, [1, 5], { person: person({ methods: [5] }) }),
  ],
  [
    'a person with a method that the device does not accept',
    2,
    passage({ person: person({ methods: [1] }), strategies: [{ methods: [1, 4] }], device: { methods: [4] } }),
  ],
  ['the password of the device, which names nobody', 'allowed', showing(shown('devicePassword'), [8], { person: null })],
])

export const methodCases: Case[] = [...eachMethod, ...eachPair, ...ofThePerson]
