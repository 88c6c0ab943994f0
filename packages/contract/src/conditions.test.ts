import { expect, test } from 'vitest'
import { holds, showsParking, type Circumstances, type Condition } from './conditions.ts'

const ordinary: Circumstances = {
  roleSign: 'parkAdmin',
  atRoot: false,
  lite: false,
  privatised: false,
  customerManager: false,
  deviceUpgradeType: 0,
  masking: false,
}
const when = (condition: Condition, more: Partial<Circumstances> = {}): boolean => holds(condition, { ...ordinary, ...more })
const forSigns = (condition: Condition, more: Partial<Circumstances> = {}): boolean[] =>
  ['admin', 'operator', 'parkAdmin', 'other'].map((roleSign) => when(condition, { ...more, roleSign }))

test('role other sees neither blacklist nor customer list [BEH-045]', () => {
  expect(forSigns('notOther')).toEqual([true, true, true, false])
  expect(forSigns('customerManager', { customerManager: true })).toEqual([true, true, true, false])
})

test('the customer list needs the customer-manager flag of the park besides', () => {
  expect(forSigns('customerManager')).toEqual([false, false, false, false])
  expect(forSigns('customerManager', { customerManager: true })).toEqual([true, true, true, false])
})

test('person settings need the flag and no lite version [BEH-047]', () => {
  expect(when('staffSetting')).toBe(false)
  expect(when('staffSetting', { customerManager: true })).toBe(true)
  expect(when('staffSetting', { customerManager: true, lite: true })).toBe(false)
})

test('what lite deployments lack is hidden there', () => {
  expect([when('notLite'), when('notLite', { lite: true })]).toEqual([true, false])
})

test('device limits are for admin and operator [BEH-050]', () => {
  expect(forSigns('operator')).toEqual([true, true, false, false])
  expect(forSigns('installation', { atRoot: true })).toEqual([true, true, false, false])
  expect(forSigns('installation')).toEqual([false, false, false, false])
})

test('the upgrade link shows in lite deployments, or by upgrade type 1 to admin and operator [BEH-051]', () => {
  expect(forSigns('deviceUpgrade')).toEqual([false, false, false, false])
  expect(forSigns('deviceUpgrade', { lite: true })).toEqual([true, true, true, true])
  expect(forSigns('deviceUpgrade', { deviceUpgradeType: 1 })).toEqual([true, true, false, false])
  // Privatised deployments grant the permission, but do not show the link.
  expect(forSigns('deviceUpgrade', { privatised: true })).toEqual([false, false, false, false])
  expect(forSigns('deviceUpgrade', { privatised: true, deviceUpgradeType: 1 })).toEqual([true, true, false, false])
})

test('changing the park is not for parkAdmin and other [BEH-041]', () => {
  expect(forSigns('changePark')).toEqual([true, true, false, false])
})

test('the parking menu is hidden in English [BEH-048]', () => {
  expect([showsParking('zh-CN'), showsParking('zh-TW'), showsParking('en')]).toEqual([true, true, false])
})

test('what gives personal data out in the clear is not for somebody to whom they are masked', () => {
  expect(forSigns('unmasked')).toEqual([true, true, true, true])
  expect(forSigns('unmasked', { masking: true })).toEqual([false, false, false, false])
})

test('what asks for nothing is open', () => {
  expect(holds(undefined, ordinary)).toBe(true)
})
