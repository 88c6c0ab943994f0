import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../device/testing/folder.ts'
import { isInside } from './geometry.ts'
import { isWatched, openCaptureSettings } from './settings.ts'

const picture = { width: 200, height: 100 }
const faceAt = (x: number, y: number) => ({ x: x - 5, y: y - 5, width: 10, height: 10 })
const rectangle = (left: number, top: number, right: number, bottom: number) => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
]
const LEFT = rectangle(0, 0, 0.5, 1)

test('without zones the whole picture counts', () => {
  expect(isWatched(faceAt(190, 90), picture, { zones: [], masks: [] })).toBe(true)
})

test('with zones only faces whose centre lies in one of them', () => {
  const settings = { zones: [LEFT, rectangle(0.9, 0, 1, 1)], masks: [] }
  const watched = [50, 99, 101, 150, 185].map((x) => isWatched(faceAt(x, 50), picture, settings))
  expect(watched).toEqual([true, true, false, false, true])
})

test('a mask goes before a zone', () => {
  const settings = { zones: [LEFT], masks: [rectangle(0, 0, 0.25, 1)] }
  expect([20, 70, 150].map((x) => isWatched(faceAt(x, 50), picture, settings))).toEqual([false, true, false])
})

test('a polygon may be hollow on one side', () => {
  const hollow = [
    { x: 0, y: 0 },
    { x: 4, y: 0 },
    { x: 4, y: 4 },
    { x: 2, y: 1 },
    { x: 0, y: 4 },
  ]
  expect([isInside({ x: 2, y: 0.5 }, hollow), isInside({ x: 2, y: 3 }, hollow), isInside({ x: 0.3, y: 3 }, hollow)]).toEqual([
    true,
    false,
    true,
  ])
})

test('settings outlive a restart, unreadable ones are the defaults, and those of later versions are kept', () => {
  const folder = scratchFolder()
  const log: string[] = []
  const open = () => openCaptureSettings(folder, (sentence) => log.push(sentence))
  open().set({ masks: [LEFT], leastFaceSize: 50 })
  expect(open().current()).toEqual({ zones: [], masks: [LEFT], leastFaceSize: 50, leastQuality: 0.3 })

  const file = join(folder, 'capture.json')
  writeFileSync(file, JSON.stringify({ leastFaceSize: 'large', leastQuality: 0.5, counting: true }))
  const reopened = open()
  expect(reopened.current()).toEqual({ zones: [], masks: [], leastFaceSize: 36, leastQuality: 0.5 })
  expect(log.join()).toContain('leastFaceSize')
  reopened.set({ leastQuality: 0.6 })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ counting: true, leastQuality: 0.6 })

  writeFileSync(file, 'nothing')
  expect(open().current()).toMatchObject({ zones: [], leastQuality: 0.3 })
})
