import { expect, test } from 'vitest'
import { freePlace, placedAfter, positionsToSave } from './placing.ts'

const stored = [
  { id: 'a', label: 'Gate', x: 0.1, y: 0.2 },
  { id: 'b', label: 'Hall', x: 0.5, y: 0.5 },
]

test('the plan shows what is stored with the changes, and nothing of what was taken away', () => {
  const changes = new Map([
    ['a', { x: 0.3, y: 0.3 }],
    ['b', null],
    ['c', { x: 0.9, y: 0.9 }],
  ])
  expect(placedAfter(stored, changes, [{ id: 'c', name: 'Yard' }])).toEqual([
    { id: 'a', label: 'Gate', x: 0.3, y: 0.3 },
    { id: 'c', label: 'Yard', x: 0.9, y: 0.9 },
  ])
})

test('only what differs is saved', () => {
  const changes = new Map([
    ['a', { x: 0.1, y: 0.2 }],
    ['b', null],
    ['c', { x: 0.9, y: 0.9 }],
    ['d', null],
  ])
  expect(positionsToSave(stored, changes)).toEqual([
    { deviceId: 'b', x: null, y: null },
    { deviceId: 'c', x: 0.9, y: 0.9 },
  ])
})

test('a device is put into the middle, or beside those that stand there', () => {
  expect(freePlace([])).toEqual({ x: 0.5, y: 0.5 })
  expect(freePlace(stored)).toEqual({ x: 0.56, y: 0.5 })
  const crowd: { x: number; y: number }[] = []
  for (let i = 0; i < 64; i++) crowd.push(freePlace(crowd))
  expect(new Set(crowd.map(({ x, y }) => `${x} ${y}`)).size).toBe(64)
})
