import { visitorStatus } from '@gatehouse/contract/enums'
import type { MachineVisit, VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import { describe, expect, test } from 'vitest'
import {
  chooseVisit,
  createLookupLimit,
  judgeFace,
  maskedName,
  needsCertificate,
  needsFace,
  passRefusal,
  visitsOfPhone,
  type Purpose,
} from './deciding.ts'

const NOON = 1_760_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SETTINGS: VisitorMachineSettings = {
  companyName: 'Park',
  address: '',
  forcedCardIssue: false,
  certificateRequired: false,
  openSignOff: true,
  signInLeadMinutes: 30,
  printsBadge: false,
}

const visit = (change: Partial<MachineVisit> = {}): MachineVisit => ({
  id: 'v-1',
  version: 1,
  status: visitorStatus.notYetVisited,
  name: 'Ann',
  phone: '13800000001',
  personId: 'p-1',
  passId: null,
  hostName: 'Bob',
  reason: 1,
  visitorNumber: 1,
  visitTime: NOON,
  authorisationExpiry: NOON + 2 * HOUR,
  template: null,
  ...change,
})
const signedIn = (change: Partial<MachineVisit> = {}) => visit({ status: visitorStatus.checkedIn, ...change })

describe('the visit that something is done for', () => {
  const cases: [
    what: string,
    visits: MachineVisit[],
    purpose: Purpose,
    settings: Partial<VisitorMachineSettings>,
    now: number,
    expected: object,
  ][] = [
    ['nothing known', [], 'signIn', {}, NOON, { refused: 'notFound' }],
    ['in its time', [visit()], 'signIn', {}, NOON, { refused: null, purpose: 'signIn' }],
    ['at the first instant of the lead', [visit()], 'signIn', {}, NOON - 30 * MINUTE, { refused: null }],
    ['an instant before', [visit()], 'signIn', {}, NOON - 30 * MINUTE - 1, { refused: 'tooEarly', from: NOON - 30 * MINUTE }],
    ['at the last instant', [visit()], 'signIn', {}, NOON + 2 * HOUR, { refused: null }],
    ['an instant after', [visit()], 'signIn', {}, NOON + 2 * HOUR + 1, { refused: 'over' }],
    [
      'waiting for its certificate',
      [visit({ status: visitorStatus.awaitingVerification })],
      'signIn',
      {},
      NOON,
      { refused: null, purpose: 'signIn' },
    ],
    ['signed in already', [signedIn()], 'signIn', {}, NOON, { refused: null, purpose: 'signOff' }],
    ['signed in already, nobody signs off', [signedIn()], 'signIn', { openSignOff: false }, NOON, { refused: 'alreadySignedIn' }],
    ['signed in, after its end', [signedIn()], 'signOff', {}, NOON + 9 * HOUR, { refused: null, purpose: 'signOff' }],
    ['leaving, nobody signs off', [signedIn()], 'signOff', { openSignOff: false }, NOON, { refused: 'passageEnds' }],
    ['leaving before it came', [visit()], 'signOff', {}, NOON, { refused: 'notSignedIn' }],
    ['leaving long before', [visit()], 'signOff', {}, NOON - 9 * HOUR, { refused: 'notSignedIn' }],
    ['signed off', [visit({ status: visitorStatus.signedOff })], 'signIn', {}, NOON, { refused: 'over' }],
    ['a card is needed', [visit()], 'signIn', { forcedCardIssue: true }, NOON, { refused: 'card' }],
    ['a card is needed, but not to leave', [signedIn()], 'signOff', { forcedCardIssue: true }, NOON, { refused: null }],
    ['two people', [visit(), visit({ id: 'v-2', name: 'Cid' })], 'signIn', {}, NOON, { refused: 'several' }],
    [
      'two visits of one person',
      [visit({ id: 'late', visitTime: NOON + 10 * MINUTE }), visit({ id: 'early' })],
      'signIn',
      {},
      NOON,
      { refused: null, visit: { id: 'early' } },
    ],
    [
      'one there, one to come',
      [signedIn({ id: 'there' }), visit({ id: 'later', visitTime: NOON + 5 * HOUR, authorisationExpiry: NOON + 6 * HOUR })],
      'signOff',
      {},
      NOON,
      { refused: null, visit: { id: 'there' } },
    ],
  ]
  test.each(cases)('%s', (_, visits, purpose, settings, now, expected) => {
    expect(chooseVisit(visits, { purpose, settings: { ...SETTINGS, ...settings }, now })).toMatchObject(expected)
  })
})

test('a number is compared as a whole, however it is spaced', () => {
  const [ann, bob] = [visit({ phone: '+86 138-0000-0001' }), visit({ phone: '8613800000002' })]
  const found = (phone: string) => visitsOfPhone([ann, bob], phone)
  expect(found('8613800000001')).toEqual([ann])
  expect(found('86 138 0000 0002')).toEqual([bob])
  for (const part of ['', '-', '0001', '861380000000', '86138000000012']) expect(found(part)).toEqual([])
})

test('a pass names somebody until it ends, unless it was altered or replaced, and however often it is shown', () => {
  const pass = { keyId: '', id: '', personId: 'p-1', validFrom: NOON, validTo: NOON + HOUR, oneUse: true }
  expect(passRefusal(pass, false, NOON + HOUR)).toBeNull()
  expect(passRefusal(pass, false, NOON - HOUR)).toBeNull()
  expect(passRefusal(pass, false, NOON + HOUR + 1)).toBe('passExpired')
  expect(passRefusal(pass, true, NOON)).toBe('passInvalid')
  expect(passRefusal(null, false, NOON)).toBe('passInvalid')
})

test('a face is needed wherever there is a photo, but not to leave with a pass', () => {
  const [with_, without] = [{ template: 'x' }, { template: null }]
  expect([needsFace(with_, 'signIn', true), needsFace(with_, 'signIn', false), needsFace(with_, 'signOff', false)]).toEqual([
    true,
    true,
    true,
  ])
  expect([needsFace(with_, 'signOff', true), needsFace(without, 'signIn', false)]).toEqual([false, false])
})

test('a certificate is needed to come where the park asks for it, or the visit waits for it', () => {
  const waiting = { status: visitorStatus.awaitingVerification }
  const accepted = { status: visitorStatus.notYetVisited }
  expect(needsCertificate(accepted, 'signIn', { certificateRequired: true })).toBe(true)
  expect(needsCertificate(waiting, 'signIn', { certificateRequired: false })).toBe(true)
  expect(needsCertificate(accepted, 'signIn', { certificateRequired: false })).toBe(false)
  expect(needsCertificate(accepted, 'signOff', { certificateRequired: true })).toBe(false)
})

test.each([
  ['reaches the threshold', 80, undefined, null, 0, 'matches'],
  ['stays below', 79.9, undefined, null, 0, 'again'],
  ['stays below a second time', 79.9, undefined, null, 1, 'again'],
  ['stays below a third time', 79.9, undefined, null, 2, 'desk'],
  ['is living', 90, 0.6, { refuses: true, threshold: 0.6 }, 0, 'matches'],
  ['is a picture', 99, 0.5, { refuses: true, threshold: 0.6 }, 0, 'again'],
  ['cannot be judged', 99, undefined, { refuses: true, threshold: 0.6 }, 2, 'desk'],
  ['has no limit to be judged by', 99, 1, { refuses: true, threshold: null }, 0, 'again'],
  ['is on trial', 90, 0.1, { refuses: false, threshold: 0.6 }, 0, 'matches'],
] as const)('a face that %s', (_, score, livenessScore, liveness, tries, expected) => {
  expect(judgeFace({ score, livenessScore }, { threshold: 80, liveness }, tries)).toBe(expected)
})

test('a masked name shows the first character of each word, whatever its length', () => {
  expect(['王小明', 'Ann Li', ' 𠮷田 ', ''].map(maskedName)).toEqual(['王**', 'A** L**', '𠮷**', '**'])
})

test('ten lookups a minute are made, and the next one waits for the first to be a minute ago', () => {
  const limit = createLookupLimit({ most: 10, within: MINUTE })
  for (let each = 0; each < 10; each++) expect(limit.admit(each * 1000)).toBe(0)
  expect(limit.admit(10_000)).toBe(50_000)
  expect(limit.admit(59_999)).toBe(1)
  expect(limit.admit(60_000)).toBe(0)
  expect(limit.admit(60_001)).toBe(999)
})
