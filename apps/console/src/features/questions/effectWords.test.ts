import { expect, test } from 'vitest'
import { effectParts, hoursOf } from './effectWords.ts'

const door = (name: string, gain: number, lose: number) => ({ id: name, name, gain, lose, changedHours: false })

test('who gains and who loses, at the doors where most do', () => {
  const devices = [door('Lab', 5, 0), door('Gate', 37, 1), door('Canteen', 0, 2), door('Store', 9, 0)]
  expect(effectParts({ gain: 37, lose: 3, deviceCount: 4, devices })).toEqual([
    { what: 'gain', count: 37, doors: ['Gate', 'Store'], more: 1 },
    { what: 'lose', count: 3, doors: ['Canteen', 'Gate'], more: 0 },
  ])
})

test('doors that are not told one by one are counted, and nothing is said where nothing changes', () => {
  expect(effectParts({ gain: 1, lose: 0, deviceCount: 250, devices: [door('Lab', 1, 0)] })).toEqual([
    { what: 'gain', count: 1, doors: ['Lab'], more: 249 },
  ])
  expect(effectParts({ gain: 0, lose: 0, deviceCount: 0, devices: [] })).toEqual([])
})

test('hours are told to a tenth', () => {
  expect([0, 30, 60, 605].map(hoursOf)).toEqual([0, 0.5, 1, 10.1])
})
