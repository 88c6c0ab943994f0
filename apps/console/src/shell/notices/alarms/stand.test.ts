import { expect, test } from 'vitest'
import { standOf } from './stand.ts'

const view = { width: 1280, height: 800 }
const bubbles = { width: 480, height: 400 }
const box = (left: number, top: number, width = 200, height = 40) => ({ left, top, width, height })
const placeFor = (field: ReturnType<typeof box> | undefined, opened: ReturnType<typeof box>[] = []) =>
  standOf(field, opened, { full: bubbles, now: bubbles }, view).place

test('bubbles stand below on the right unless something is typed there, then where they cover nothing', () => {
  expect(placeFor(undefined)).toBe('bottomRight')
  expect(placeFor(box(100, 100))).toBe('bottomRight')
  expect(placeFor(box(900, 600))).toBe('bottomLeft')
  // As wide as the page.
  expect(placeFor(box(10, 600, 1260))).toBe('topRight')
  expect(placeFor(box(783, 384))).toBe('bottomLeft')
  expect(placeFor(box(583, 384))).toBe('bottomRight')
})

test('beside a drawer they stand on the left, but rather on it than on a field', () => {
  const drawer = box(680, 0, 600, 800)
  expect(placeFor(undefined, [drawer])).toBe('bottomLeft')
  expect(placeFor(box(100, 600), [drawer])).toBe('topLeft')
  expect(placeFor(box(100, 100, 200, 700), [drawer])).toBe('bottomRight')
})

test('where they would cover the field from everywhere they shrink to lines, and grow again once there is room for all of them', () => {
  const [wide, lines] = [box(10, 380, 1260), { width: 480, height: 60 }]
  expect(standOf(wide, [], { full: bubbles, now: bubbles }, view).tight).toBe(true)
  expect(standOf(wide, [], { full: bubbles, now: lines }, view)).toEqual({ place: 'bottomRight', tight: true })
  expect(standOf(box(10, 700, 1260), [], { full: { width: 480, height: 700 }, now: lines }, view)).toEqual({
    place: 'topRight',
    tight: true,
  })
  expect(standOf(undefined, [], { full: bubbles, now: lines }, view)).toEqual({ place: 'bottomRight', tight: false })
})

test('a dialog is covered by a person of the watch list only: other bubbles shrink to lines where there is no room beside it', () => {
  const [dialog, lines] = [box(400, 100, 480, 600), { width: 480, height: 60 }]
  const stand = (now: typeof lines, yields: boolean) => standOf(undefined, [dialog], { full: bubbles, now }, view, yields)
  expect(stand(bubbles, false)).toEqual({ place: 'bottomRight', tight: false })
  expect(stand(bubbles, true).tight).toBe(true)
  expect(stand(lines, true)).toEqual({ place: 'bottomRight', tight: true })
  expect(standOf(undefined, [box(20, 100, 300, 600)], { full: bubbles, now: bubbles }, view, true)).toEqual({
    place: 'bottomRight',
    tight: false,
  })
})
