import { expect, test } from 'vitest'
import type { VisitorConfiguration } from '@gatehouse/contract/visitors/configuration'
import { lastMoment, newVisit } from './visitValues.ts'

const OFFSET = 480
/** 23:30 in the park. */
const now = Date.parse('2026-11-30T15:30:20Z')
const configuration: VisitorConfiguration = {
  needAuthorisation: true,
  defaultValidDays: 30,
  forcedCardIssue: false,
  openSignOff: true,
  autoSignOffAtDevices: [],
  visitorMachines: [],
  visitorMachinesPrint: false,
  expiredAutoSignOffTime: 'nextDay',
  cardFormat: 'decimal',
  intervieweeRequired: false,
  certificateRequired: false,
  qrOneUse: false,
  approvalSwitch: false,
  hostConfirms: false,
  companyName: '',
  address: '',
  coordinates: null,
  signInLeadMinutes: 30,
  visitReasons: [1, 3],
  version: 1,
}
const visit = (kind: 'single' | 'regular', visitReasons = configuration.visitReasons) =>
  newVisit(kind, { configuration: { ...configuration, visitReasons }, groups: [{ id: 'first' }, { id: 'second' }], now, offset: OFFSET })

test('a regular visitor may come until 23:59:59 of the last day, the first day included [VAL-080]', () => {
  expect(lastMoment(now, 1, OFFSET)).toBe(Date.parse('2026-11-30T15:59:59Z'))
  expect(lastMoment(now, 30, OFFSET)).toBe(Date.parse('2026-12-29T15:59:59Z'))
})

test('a new single visit begins now and ends with the day, in the first group', () => {
  expect(visit('single')).toMatchObject({
    source: 3,
    visitTime: Date.parse('2026-11-30T15:30:00Z'),
    visitEndTime: Date.parse('2026-11-30T15:59:59Z'),
    visitorGroupId: 'first',
  })
})

test('a new regular visitor has the days of the park in place of an end, and the reason only where there is one', () => {
  expect(visit('regular')).toMatchObject({ validDays: 30 })
  expect(visit('regular')).not.toHaveProperty('visitEndTime')
  expect([visit('regular').reason, visit('regular', [3]).reason]).toEqual([undefined, 3])
})
